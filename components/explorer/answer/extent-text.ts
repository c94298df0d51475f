import { formatCount } from "@/lib/kernel/format";

/** How much of a result is shown. */
export interface Extent {
  shown: number;
  /** Size of the whole result; undefined if it was not counted. */
  total: number | undefined;
  /** Whether the result has more than is shown. */
  isPartial: boolean;
  noun: "row" | "group";
}

const counted = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

/** `first 100 of 741 rows`, `first 100 groups`; undefined where all of it is shown. */
export function partText({ shown, total, isPartial, noun }: Extent): string | undefined {
  if (!isPartial) return undefined;
  if (total === undefined || total <= shown) return `first ${shown === 1 ? noun : counted(shown, noun)}`;
  return `first ${formatCount(shown)} of ${counted(total, noun)}`;
}

/** `First 100 of 741 rows`, `First 100 groups; there are more`, `All 12 groups`: how much a chart or a frame shows. */
export function extentTitle(extent: Extent): string {
  const { shown, total, noun } = extent;
  const part = partText(extent);
  if (part === undefined) return shown === 1 ? `1 ${noun}` : `All ${counted(shown, noun)}`;
  return `F${part.slice(1)}${total === undefined || total <= shown ? "; there are more" : ""}`;
}

/** `Showing the first 100 of 741 rows`, `Showing all 35 matching rows`: how much of the result the grid has loaded. */
export function loadedText(extent: Extent, isFiltered: boolean): string {
  const { shown, total, isPartial, noun } = extent;
  const kind = isFiltered && noun === "row" ? "matching row" : noun;
  if (shown === 0) return isFiltered ? `No ${kind}s` : `No ${noun}s`;
  if (!isPartial) return shown === 1 ? `Showing the only ${kind}` : `Showing all ${counted(shown, kind)}`;
  const more = noun === "group" ? "There are more groups." : isFiltered ? "More rows match." : "There are more rows.";
  return `Showing the ${partText(extent)}${total === undefined ? `. ${more}` : ""}`;
}
