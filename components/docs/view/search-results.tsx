import { marksOfText } from "@/components/ui/mark-words";
import { MarkedText } from "@/components/ui/marked-text";
import type { Found } from "@/lib/docs/doc-search";
import { formatPlural } from "@/lib/kernel/format";

/** Search results of the docs, with the search words marked. */
export function SearchResults({ q, found }: { q: string; found: readonly Found[] }) {
  if (q === "")
    return <p className="mt-4 text-muted">You can also search for operators, error codes, settings and commands.</p>;
  if (found.length === 0) {
    return (
      <p className="mt-4 text-muted">
        No results for “{q}” in the docs.{" "}
        <a className="link" href={`/datasets?q=${encodeURIComponent(q)}`}>
          Search datasets instead
        </a>
        .
      </p>
    );
  }
  const marks = marksOfText(q);
  return (
    <>
      <p className="mt-3 text-muted text-sm">
        {formatPlural(found.length, "result")} for “{q}”
      </p>
      <ol className="mt-4 border-line border-t">
        {found.map(({ page, heading, href, excerpt }) => (
          <li key={href} className="border-line border-b py-3">
            <a className="font-medium hover:text-accent" href={href}>
              <span className={heading ? "text-muted" : ""}>
                <MarkedText text={page} marks={marks} />
              </span>
              {heading && (
                <>
                  <span className="text-faint"> › </span>
                  <MarkedText text={heading} marks={marks} />
                </>
              )}
            </a>
            <p className="mt-0.5 text-muted text-sm">
              <MarkedText text={excerpt} marks={marks} />
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
