import Link from "next/link";

/** `support`: whom people write to, as a URL. */
export function SiteFooter({ support }: { support: string | undefined }) {
  return (
    <footer className="mt-20 border-line border-t bg-surface">
      <div className="page flex flex-col gap-4 py-8 text-muted text-sm sm:flex-row sm:items-center sm:justify-between">
        <p className="max-w-prose text-balance">
          Every dataset keeps its publisher and licence. Cite the version ID and digest you used.
        </p>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-5 gap-y-2">
          <Link className="hover:text-ink" href="/datasets">
            Datasets
          </Link>
          <Link className="hover:text-ink" href="/docs">
            Docs
          </Link>
          <Link className="hover:text-ink" href="/status" prefetch={false}>
            Status
          </Link>
          <Link className="hover:text-ink" href="/docs/privacy" prefetch={false}>
            Privacy
          </Link>
          {support && (
            <a className="hover:text-ink" href={support}>
              Support
            </a>
          )}
          <a className="hover:text-ink" href="/api/v2/public/openapi.json">
            OpenAPI
          </a>
          <a className="hover:text-ink" href="/api/v2/public/datasets">
            Catalogue as JSON
          </a>
        </nav>
      </div>
    </footer>
  );
}
