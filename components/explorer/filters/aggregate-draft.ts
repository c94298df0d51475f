import type { ViewAggregate } from "@/components/explorer/view/view";

/** A result while it is edited. */
export interface AggregateDraft extends ViewAggregate {
  id: number;
}

export const draftAggregate = (entry: ViewAggregate, id: number): AggregateDraft => ({ ...entry, id });

const ALIAS = /^[A-Za-z_]\w{0,62}$/;

/** What is wrong with a result's name; `taken` are the names before it. */
export function aggregateFaultOf({ alias }: AggregateDraft, taken: readonly string[]): string | undefined {
  if (!ALIAS.test(alias)) return "Name it with 1 to 63 letters, digits and underscores, not starting with a digit.";
  return taken.some((name) => name.toLowerCase() === alias.toLowerCase())
    ? `There is another column called ${alias}.`
    : undefined;
}
