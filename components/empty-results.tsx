import Link from "next/link";
import { type DirectoryState, directoryUrl } from "./directory-url";

/** What to do when nothing matches: drop a filter, search for less, look at everything. */
export function EmptyResults({ state }: { state: DirectoryState }) {
  const filtered = Boolean(state.topic || state.publisher || state.license);
  return (
    <div className="py-10">
      <p className="text-lg">No dataset matches.</p>
      <ul className="mt-3 space-y-1.5 text-muted">
        {filtered && (
          <li>
            <Link className="link" href={directoryUrl({ q: state.q })}>
              Search without the filters
            </Link>
          </li>
        )}
        {state.q && <li>Try fewer or more general words; columns and descriptions are searched too.</li>}
        <li>
          <Link className="link" href="/datasets">
            Show all datasets
          </Link>
        </li>
      </ul>
    </div>
  );
}
