import Link from "next/link";

interface Props {
  /** The contact for support, as a URL. */
  support: string | undefined;
  /** URLs of the administrator's own pages. */
  about: string | undefined;
  terms: string | undefined;
}

/** What is not set is not shown. */
export function SiteFooter({ support, about, terms }: Props) {
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
          {terms && (
            <a className="hover:text-ink" href={terms} rel="terms-of-service">
              Terms
            </a>
          )}
          {about && (
            <a className="hover:text-ink" href={about}>
              About
            </a>
          )}
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
