import { SlidersHorizontal } from "lucide-react";
import { type DirectoryState, FACETS } from "@/components/dataset/directory-url";
import { formatCount } from "@/lib/kernel/format";
import type { Facets } from "@/lib/schemas/facets";
import { FacetList } from "./facet-list";

interface Props {
  /** Number of active filters. */
  active: number;
  facets: Facets;
  state: DirectoryState;
  labelOf(name: string, value: string): string;
}

/** The freshness facet is useless if no source is watched. */
const saysFreshness = ({ facets }: Facets, state: DirectoryState): boolean =>
  state.freshness !== undefined || facets.freshness.some(({ value }) => value !== "unknown");

/** The facets: next to the results if there is room, else folded behind a switch that works without JavaScript. */
export function FacetPanel({ active, facets, state, labelOf }: Props) {
  if (active === 0 && facets.total === 0) return <div className="hidden lg:block" />;
  return (
    <div>
      <input type="checkbox" id="show-filters" className="peer sr-only lg:hidden" />
      <label htmlFor="show-filters" className="facet-switch button w-full lg:hidden">
        <SlidersHorizontal size={16} aria-hidden="true" />
        Filters{active > 0 && ` (${formatCount(active)})`}
      </label>
      <aside
        aria-label="Filters"
        className="mt-5 hidden content-start gap-7 peer-checked:grid sm:grid-cols-3 lg:mt-0 lg:grid lg:grid-cols-1"
      >
        {FACETS.filter(({ name }) => name !== "freshness" || saysFreshness(facets, state)).map(({ name, title }) => (
          <FacetList
            key={name}
            name={name}
            title={title}
            values={facets.facets[name].map((entry) => ({ ...entry, label: labelOf(name, entry.value) }))}
            state={state}
          />
        ))}
      </aside>
    </div>
  );
}
