import type { Metadata } from "next";
import Link from "next/link";
import { SearchForm } from "@/components/search-form";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <div className="page py-20">
      <p className="eyebrow">404</p>
      <h1 className="mt-2 text-3xl">There is nothing at this address</h1>
      <p className="mt-4 max-w-prose text-muted">
        The dataset may have been renamed or withdrawn, or the address has a typing error. Search for it, or look through the directory.
      </p>
      <div className="mt-8 max-w-xl">
        <SearchForm />
      </div>
      <p className="mt-6">
        <Link href="/datasets" className="link">
          All datasets
        </Link>
      </p>
    </div>
  );
}
