import Link from "next/link";
import { type DirectoryState, directoryUrl } from "./directory-url";
import type { FacetName } from "./facet-counts";

/** What the directory is narrowed to, each filter with a link that lifts it. `labels` gives names for values that are slugs. */
export function ActiveFilters({ state, labels }: { state: DirectoryState; labels: ReadonlyMap<string, string> }) {
  const active = (["topic", "publisher", "license"] as const).flatMap((name: FacetName) => (state[name] ? [{ name, value: state[name] }] : []));
  if (active.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="mt-3 flex flex-wrap gap-1.5">
      {active.map(({ name, value }) => (
        <li key={name}>
          <Link
            className="chip"
            href={directoryUrl({ ...state, [name]: undefined, cursor: undefined })}
            prefetch={false}
            aria-label={`Remove the filter ${labels.get(value) ?? value}`}
          >
            {labels.get(value) ?? value}
            <span aria-hidden="true" className="ml-1.5">
              ×
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
