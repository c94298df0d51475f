import { expect, test } from "vitest";
import { type Extent, extentTitle, loadedText } from "./extent-text";

const PART: Extent = { shown: 100, total: 741, isPartial: true, noun: "row" };
const UNCOUNTED: Extent = { ...PART, total: undefined };

test.each<[Extent, string]>([
  [PART, "First 100 of 741 rows"],
  [{ ...PART, total: 3_000_000, shown: 2000 }, "First 2,000 of 3,000,000 rows"],
  [UNCOUNTED, "First 100 rows; there are more"],
  [{ ...UNCOUNTED, noun: "group" }, "First 100 groups; there are more"],
  [{ ...UNCOUNTED, shown: 1 }, "First row; there are more"],
  [{ ...PART, shown: 741, isPartial: false }, "All 741 rows"],
  [{ shown: 1, total: 1, isPartial: false, noun: "group" }, "1 group"],
])("a chart of %o is titled %s", (extent, title) => {
  expect(extentTitle(extent)).toBe(title);
});

test.each<[Extent, boolean, string]>([
  [PART, false, "Showing the first 100 of 741 rows"],
  [UNCOUNTED, true, "Showing the first 100 rows. More rows match."],
  [{ ...UNCOUNTED, noun: "group" }, false, "Showing the first 100 groups. There are more groups."],
  [{ ...PART, shown: 35, total: 35, isPartial: false }, true, "Showing all 35 matching rows"],
  [{ ...PART, shown: 35, total: 35, isPartial: false }, false, "Showing all 35 rows"],
  [{ ...PART, before: 200, isPartial: true }, false, "Showing rows 201 to 300 of 741"],
  [{ ...PART, before: 641, isPartial: false }, false, "Showing rows 642 to 741"],
  [{ ...PART, before: 741, shown: 0, isPartial: false }, false, "There is no row 742"],
  [{ ...PART, shown: 0, total: 0, isPartial: false }, true, "No matching rows"],
])("a grid with %o, filtered: %s, says %s", (extent, isFiltered, text) => {
  expect(loadedText(extent, isFiltered)).toBe(text);
});
