import { type DirectoryState, directoryUrl, type FacetName } from "@/components/dataset/directory-url";
import { formatCount } from "@/lib/kernel/format";

interface FacetValue {
  value: string;
  label: string;
  count: number;
}

interface Props {
  name: FacetName;
  title: string;
  values: readonly FacetValue[];
  state: DirectoryState;
}

const SHOWN = 8;

/** One facet as links with counts; the chosen value's link removes it, and it is always visible. */
export function FacetList({ name, title, values, state }: Props) {
  const chosen = state[name];
  const first = values.slice(0, SHOWN);
  const beyond = values.slice(SHOWN).filter(({ value }) => value === chosen);
  const rest = values.slice(SHOWN).filter(({ value }) => value !== chosen);
  const absent =
    chosen && !values.some(({ value }) => value === chosen) ? [{ value: chosen, label: chosen, count: 0 }] : [];
  if (values.length + absent.length === 0) return null;
  const item = (entry: FacetValue) => <FacetLink key={entry.value} entry={entry} name={name} state={state} />;
  return (
    <section aria-labelledby={`facet-${name}`}>
      <h2 id={`facet-${name}`} className="font-semibold text-sm tracking-normal">
        {title}
      </h2>
      <ul className="mt-1.5 text-sm">{[...first, ...beyond, ...absent].map(item)}</ul>
      {rest.length > 0 && (
        <details className="text-sm">
          <summary className="inline-block list-none rounded-sm py-1 text-accent text-xs [details[open]>&]:hidden">
            {formatCount(rest.length)} more
          </summary>
          <ul>{rest.map(item)}</ul>
        </details>
      )}
    </section>
  );
}

function FacetLink({ entry, name, state }: { entry: FacetValue; name: FacetName; state: DirectoryState }) {
  const chosen = state[name] === entry.value;
  const href = directoryUrl({ ...state, [name]: chosen ? undefined : entry.value, cursor: undefined });
  return (
    <li>
      <a
        href={href}
        aria-current={chosen ? "true" : undefined}
        className={
          "-mx-2 flex items-baseline justify-between gap-3 rounded-sm px-2 py-1 hover:bg-surface " +
          `${chosen ? "bg-accent-soft font-medium text-accent" : "text-muted hover:text-ink"}`
        }
      >
        <span className="min-w-0">{entry.label}</span>
        <span className={`text-xs tabular-nums ${chosen ? "" : "text-faint"}`}>{formatCount(entry.count)}</span>
      </a>
    </li>
  );
}
