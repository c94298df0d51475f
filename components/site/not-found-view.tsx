import Link from "next/link";
import { SearchForm } from "./search-form";

/** The page for a URL that leads nowhere: possible reasons, and where to go next. */
export function NotFoundView() {
  return (
    <div className="page py-16 sm:py-20">
      <p className="eyebrow">404</p>
      <h1 className="mt-2 text-3xl">Page not found</h1>
      <p className="mt-4 max-w-prose text-muted">
        It may have moved, been withdrawn, or be private. Check the URL, search for a dataset, or browse the directory.
      </p>
      <div className="mt-8 max-w-xl">
        <SearchForm />
      </div>
      <p className="mt-6 flex flex-wrap gap-x-6 gap-y-2">
        <Link href="/datasets" className="link">
          All datasets
        </Link>
        <Link href="/docs" className="link">
          Docs
        </Link>
      </p>
    </div>
  );
}
