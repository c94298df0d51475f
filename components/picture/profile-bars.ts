import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";

export interface ProfileBars {
  /** The column's name, with its unit. */
  label: string;
  /** 0 to 1, left to right. */
  heights: number[];
}

const BARS_MIN = 5;
/** If one bar holds more than this share, the others would be invisible. */
const SHARE_MAX = 0.8;
/** Variation beyond this does not make a drawing more informative. */
const VARIATION_ENOUGH = 0.8;

/**
 * The data of a dataset's picture: its most informative histogram, or else its most common values, preferring many bars
 * of different heights.
 */
export function profileBars({ tables }: Pick<Dataset, "tables">): ProfileBars | undefined {
  const columns = tables.flatMap((table) => table.columns);
  const histograms = columns.map((column) => ({ column, counts: column.profile.histogram?.counts ?? [] }));
  const commonest = columns.map((column) => ({
    column,
    counts: (column.profile.top_values ?? []).map(({ count }) => count),
  }));
  const best = mostTelling(histograms) ?? mostTelling(commonest);
  return best && barsOf(best.column, best.counts);
}

interface Candidate {
  column: Column;
  counts: readonly number[];
}

/** The first of the best candidates. */
function mostTelling(candidates: readonly Candidate[]): Candidate | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, score: tellingOf(candidate.counts) }))
    .sort((a, b) => b.score - a.score);
  return best && best.score > 0 ? best.candidate : undefined;
}

function tellingOf(counts: readonly number[]): number {
  const filled = counts.filter((count) => count > 0);
  const mean = filled.reduce((sum, count) => sum + count, 0) / Math.max(filled.length, 1);
  if (filled.length < BARS_MIN || Math.max(...filled) / (mean * filled.length) > SHARE_MAX) return 0;
  const variance = filled.reduce((sum, count) => sum + (count - mean) ** 2, 0) / filled.length;
  return filled.length * Math.min(Math.sqrt(variance) / mean, VARIATION_ENOUGH);
}

function barsOf({ name, unit }: Column, counts: readonly number[]): ProfileBars {
  const most = Math.max(...counts, 1);
  return { label: unit ? `${name}, ${unit}` : name, heights: counts.map((count) => count / most) };
}
