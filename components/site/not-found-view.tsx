import Link from "next/link";
import { SearchForm } from "./search-form";

/** The page for a URL that leads nowhere: possible reasons, and where to go next. */
export function NotFoundView({ near = [] }: { near?: readonly { title: string; slug: string }[] }) {
  return (
    <div className="page py-16 sm:py-20">
      <p className="eyebrow">404</p>
      <h1 className="mt-2 text-3xl">Page not found</h1>
      <p className="mt-4 max-w-prose text-muted">
        It may have moved, been withdrawn, or be private. Check the URL, search for a dataset, or browse the directory.
      </p>
      {near.length > 0 && (
        <section aria-labelledby="near" className="mt-6">
          <h2 id="near" className="font-medium text-sm">
            Perhaps you were looking for
          </h2>
          <ul className="mt-1.5 grid gap-1">
            {near.map(({ title, slug }) => (
              <li key={slug}>
                <Link href={`/datasets/${slug}`} className="link" prefetch={false}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
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
