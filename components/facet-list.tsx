import Link from "next/link";
import { formatCount } from "@/lib/format";
import { type DirectoryState, directoryUrl } from "./directory-url";
import type { FacetName, FacetValue } from "./facet-counts";

const SHOWN = 8;

/** One facet as links; the chosen value stands first and is left by the same link. Counts are hidden where they are not complete. */
export function FacetList({
  name,
  title,
  values,
  state,
  counted,
}: {
  name: FacetName;
  title: string;
  values: readonly FacetValue[];
  state: DirectoryState;
  counted: boolean;
}) {
  if (values.length === 0) return null;
  const chosen = state[name];
  const ordered = [...values.filter((entry) => entry.value === chosen), ...values.filter((entry) => entry.value !== chosen)];
  const rest = ordered.slice(SHOWN);
  const item = (entry: FacetValue) => <FacetLink key={entry.value} entry={entry} name={name} state={state} counted={counted} />;
  return (
    <section aria-labelledby={`facet-${name}`}>
      <h2 id={`facet-${name}`} className="font-semibold text-sm tracking-normal">
        {title}
      </h2>
      <ul className="mt-1.5 text-sm">{ordered.slice(0, SHOWN).map(item)}</ul>
      {rest.length > 0 && (
        <details className="text-sm">
          <summary className="inline-block list-none rounded-sm py-1 text-accent text-xs [details[open]>&]:hidden">{rest.length} more</summary>
          <ul>{rest.map(item)}</ul>
        </details>
      )}
    </section>
  );
}

function FacetLink({ entry, name, state, counted }: { entry: FacetValue; name: FacetName; state: DirectoryState; counted: boolean }) {
  const chosen = state[name] === entry.value;
  const href = directoryUrl({ ...state, [name]: chosen ? undefined : entry.value, cursor: undefined });
  return (
    <li>
      <Link
        href={href}
        prefetch={false}
        aria-current={chosen ? "true" : undefined}
        className={`-mx-2 flex items-baseline justify-between gap-3 rounded-sm px-2 py-1 hover:bg-surface ${chosen ? "bg-accent-soft font-medium text-accent" : "text-muted hover:text-ink"}`}
      >
        <span className="min-w-0">{entry.label}</span>
        {chosen ? <span aria-hidden="true">×</span> : counted && <span className="text-faint text-xs tabular-nums">{formatCount(entry.count)}</span>}
      </Link>
    </li>
  );
}
