import { formatCount } from "@/lib/kernel/format";

/** How much of a result is shown. */
export interface Extent {
  shown: number;
  /** How many rows come before the first that is shown. */
  before?: number;
  /** Size of the whole result; undefined if it was not counted. */
  total: number | undefined;
  /** Whether the result has more than is shown. */
  isPartial: boolean;
  noun: "row" | "group";
}

const counted = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

/** `first 100 of 741 rows`, `first 100 groups`, `rows 201 to 300 of 741`; undefined where all of it is shown. */
export function partText({ shown, before = 0, total, isPartial, noun }: Extent): string | undefined {
  if (before > 0) {
    const end = before + shown;
    const of = total === undefined || total <= end ? "" : ` of ${formatCount(total)}`;
    return `${noun}s ${formatCount(before + 1)} to ${formatCount(end)}${of}`;
  }
  if (!isPartial) return undefined;
  if (total === undefined || total <= shown) return `first ${shown === 1 ? noun : counted(shown, noun)}`;
  return `first ${formatCount(shown)} of ${counted(total, noun)}`;
}

/** `First 100 of 741 rows`, `First 100 groups; there are more`, `All 12 groups`: how much a chart or a frame shows. */
export function extentTitle(extent: Extent): string {
  const { shown, total, noun } = extent;
  const part = partText(extent);
  if (part === undefined) return shown === 1 ? `1 ${noun}` : `All ${counted(shown, noun)}`;
  const more = total === undefined || total <= shown ? "; there are more" : "";
  return `${part.charAt(0).toUpperCase()}${part.slice(1)}${more}`;
}

/** `Showing the first 100 of 741 rows`, `Showing all 35 matching rows`: how much of the result the grid has loaded. */
export function loadedText(extent: Extent, isFiltered: boolean): string {
  const { shown, before = 0, total, isPartial, noun } = extent;
  const kind = isFiltered && noun === "row" ? "matching row" : noun;
  if (before > 0 && shown === 0) return `There is no row ${formatCount(before + 1)}`;
  if (before > 0) return `Showing ${partText(extent)}`;
  if (shown === 0) return isFiltered ? `No ${kind}s` : `No ${noun}s`;
  if (!isPartial) return shown === 1 ? `Showing the only ${kind}` : `Showing all ${counted(shown, kind)}`;
  const more = noun === "group" ? "There are more groups." : isFiltered ? "More rows match." : "There are more rows.";
  return `Showing the ${partText(extent)}${total === undefined ? `. ${more}` : ""}`;
}
