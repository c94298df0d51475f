import { Check } from "lucide-react";
import { type DirectoryState, directoryUrl, type FacetName, toggled } from "@/components/dataset/directory-url";
import { formatCount } from "@/lib/kernel/format";
import { FACET_VALUES_MAX } from "@/lib/schemas/facet-values";

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

/** One facet as links with counts. Several can be chosen; a chosen value is always visible, and its link removes it. */
export function FacetList({ name, title, values, state }: Props) {
  const chosen = state[name] ?? [];
  const first = values.slice(0, SHOWN);
  const beyond = values.slice(SHOWN).filter(({ value }) => chosen.includes(value));
  const rest = values.slice(SHOWN).filter(({ value }) => !chosen.includes(value));
  const known = new Set(values.map(({ value }) => value));
  const absent = chosen.flatMap((value) => (known.has(value) ? [] : [{ value, label: value, count: 0 }]));
  const isFull = chosen.length >= FACET_VALUES_MAX;
  if (values.length + absent.length === 0) return null;
  const item = (entry: FacetValue) => (
    <FacetLink
      key={entry.value}
      entry={entry}
      isChosen={chosen.includes(entry.value)}
      href={isFull && !chosen.includes(entry.value) ? undefined : directoryUrl(toggled(state, name, entry.value))}
    />
  );
  return (
    <section aria-labelledby={`facet-${name}`}>
      <h2 id={`facet-${name}`} className="font-semibold text-sm tracking-normal">
        {title}
      </h2>
      <ul className="mt-1.5 text-sm">{[...first, ...beyond, ...absent].map(item)}</ul>
      {isFull && <p className="py-1 text-faint text-xs">You can choose at most {formatCount(FACET_VALUES_MAX)}.</p>}
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

/** A value with a box, checked if it is chosen; without a URL it cannot be chosen. */
function FacetLink({ entry, isChosen, href }: { entry: FacetValue; isChosen: boolean; href: string | undefined }) {
  return (
    <li>
      <a
        href={href}
        aria-current={isChosen ? "true" : undefined}
        className={
          "-mx-2 flex items-baseline gap-2 rounded-sm px-2 py-1 " +
          `${isChosen ? "font-medium text-ink" : "text-muted"} ${href ? "hover:bg-surface hover:text-ink" : ""}`
        }
      >
        <span
          aria-hidden="true"
          className={
            "flex size-3.5 shrink-0 items-center justify-center self-center rounded-xs border " +
            `${isChosen ? "border-accent bg-accent text-on-accent" : "border-line-strong"}`
          }
        >
          {isChosen && <Check size={11} strokeWidth={3} />}
        </span>
        <span className="min-w-0 grow">{entry.label}</span>
        <span className={`text-xs tabular-nums ${isChosen ? "" : "text-faint"}`}>{formatCount(entry.count)}</span>
      </a>
    </li>
  );
}
