import { scalarAt } from "./recipe-choices";
import { type OutlineNode, outlineOf } from "./recipe-outline";

/** A step of a recipe that is being written. */
export interface WrittenStep {
  table: string;
  /** Its index in the table, from 0. */
  step: number;
  kind: string;
  /** Where its line begins, or the step itself if it is not the first in its line. */
  from: number;
}

/** The steps of all tables in the order of the text, as far as they can be recognized. Reads the text once. */
export function recipeSteps(text: string): WrittenStep[] {
  return itemsOf(outlineOf(text).root, "tables").items.flatMap((table) => {
    const { items, starts } = itemsOf(table, "steps");
    return items.map((item, step) => ({
      ...{ table: scalarAt(table, "name") ?? "", step, kind: scalarAt(item, "step") ?? "" },
      from: lineStart(text, starts[step] ?? 0),
    }));
  });
}

/** The step at a position, or the last one before it. */
export const stepAt = (steps: readonly WrittenStep[], position: number): WrittenStep | undefined =>
  steps.findLast(({ from }) => from <= position);

function itemsOf(
  node: OutlineNode | undefined,
  key: string,
): { items: readonly (OutlineNode | undefined)[]; starts: readonly number[] } {
  const value = node?.kind === "map" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
  return value?.kind === "list" ? value : { items: [], starts: [] };
}

function lineStart(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === " ") start -= 1;
  return start === 0 || text[start - 1] === "\n" ? start : at;
}
