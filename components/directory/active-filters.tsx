import { X } from "lucide-react";
import { type DirectoryState, directoryUrl, FACETS, toggled } from "@/components/dataset/directory-url";

/**
 * The active filters of the directory, each with a link that removes it. `labelOf` returns a value's name for people.
 */
export function ActiveFilters({
  state,
  labelOf,
}: {
  state: DirectoryState;
  labelOf(name: string, value: string): string;
}) {
  const active = FACETS.flatMap(({ name, title }) => (state[name] ?? []).map((value) => ({ name, title, value })));
  if (active.length === 0) return null;
  const none = Object.fromEntries(FACETS.map(({ name }) => [name, undefined]));
  return (
    <ul aria-label="Active filters" className="mt-4 flex flex-wrap items-center gap-1.5">
      {active.map(({ name, title, value }) => (
        <li key={`${name} ${value}`}>
          <a
            className="chip gap-1.5 bg-accent-soft text-accent"
            href={directoryUrl(toggled(state, name, value))}
            aria-label={`Remove the filter ${title}: ${labelOf(name, value)}`}
          >
            {title}: {labelOf(name, value)}
            <X size={13} aria-hidden="true" />
          </a>
        </li>
      ))}
      {active.length > 1 && (
        <li>
          <a className="link ml-1.5 text-xs" href={directoryUrl({ ...state, ...none, cursor: undefined })}>
            Clear all
          </a>
        </li>
      )}
    </ul>
  );
}
