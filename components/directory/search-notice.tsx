import { type DirectoryState, directoryUrl } from "@/components/dataset/directory-url";
import type { Facets } from "@/lib/schemas/facets";
import type { Trouble } from "./directory-data";

const list = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(", ");

/** How a search was interpreted if that is not obvious: misspelt words, and words without matches. */
export function SearchNotice({ state, facets }: { state: DirectoryState; facets: Facets }) {
  const misspelt = facets.words.filter(({ found }) => found === "similar").map(({ word }) => word);
  const unknown = facets.words.filter(({ found }) => found === "none").map(({ word }) => word);
  if (misspelt.length === 0 && unknown.length === 0) return null;
  return (
    <p className="wrap-anywhere mt-3 text-muted text-sm">
      {misspelt.length > 0 && <>No dataset mentions {list(misspelt)}. Showing matches for similar words. </>}
      {unknown.length > 0 && <>No dataset mentions {list(unknown)}. Showing matches for your other words. </>}
      {facets.suggestion && (
        <>
          Did you mean{" "}
          <a className="link font-medium" href={directoryUrl({ ...state, q: facets.suggestion, cursor: undefined })}>
            {facets.suggestion}
          </a>
          ?
        </>
      )}
    </p>
  );
}

const TROUBLES = {
  limited: (seconds: number) => `Too many searches. We’ll retry automatically in ${seconds} s.`,
  unavailable: (seconds: number) =>
    `The service is temporarily unavailable. We’ll retry automatically in ${seconds} s.`,
  offline: () => "You seem to be offline. The search continues when you reconnect.",
  rejected: () => "Invalid search. Change it or start over.",
} as const satisfies Record<Trouble["kind"], (seconds: number) => string>;

/** What went wrong with the latest search, and what to do; earlier results remain visible. */
export function TroubleNotice({ trouble, onRetry }: { trouble: Trouble; onRetry(): void }) {
  return (
    <div
      role="alert"
      className={
        "mt-4 flex flex-wrap items-center justify-between gap-3 rounded-md border border-danger bg-danger-soft " +
        "px-4 py-3 text-sm"
      }
    >
      <p>{TROUBLES[trouble.kind](trouble.seconds)}</p>
      <button type="button" className="button button-small" onClick={onRetry}>
        Try now
      </button>
    </div>
  );
}
