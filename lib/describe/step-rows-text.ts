import { formatCount, formatPlural } from "@/lib/kernel/format";

/** A step that changed the number of rows, or left rows without a match. */
export interface CountedStep {
  kind: string;
  from: number;
  to: number;
  dropped?: number | undefined;
  unmatched?: number | undefined;
}

/** Why each kind of step leaves rows out. */
const REASONS: Readonly<Record<string, string>> = {
  filter: "which the condition excludes",
  dedupe: "which are duplicates",
  limit: "beyond the limit",
  join: "which have no match",
  pivot: "whose name is not listed",
  unnest: "whose list is empty",
  parse: "with a rejected cell",
  cast: "with a rejected cell",
  extract: "with a rejected cell",
  split: "with a rejected cell",
  flatten: "with a rejected cell",
};
/** Steps that make new rows of several ones, or several of one. */
const RESHAPES: ReadonlySet<string> = new Set(["aggregate", "pivot", "union", "unnest", "unpivot"]);

/** What a step left out or without a match: `leaves out 3 of 100 rows, which are duplicates`. Empty if nothing. */
export function leftOutText(step: CountedStep): string {
  const { kind, from, to, dropped, unmatched } = step;
  if (unmatched !== undefined) return `finds no match for ${formatCount(unmatched)} of ${formatPlural(from, "row")}`;
  if (kind === "unpivot")
    return dropped === undefined ? "" : `leaves out ${formatPlural(dropped, "cell")} without a value`;
  const left = dropped ?? (RESHAPES.has(kind) ? 0 : Math.max(0, from - to));
  const reason = REASONS[kind];
  return left === 0
    ? ""
    : `leaves out ${formatCount(left)} of ${formatPlural(from, "row")}${reason === undefined ? "" : `, ${reason}`}`;
}
