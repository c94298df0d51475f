import { describe, expect, test } from "vitest";
import type { ViewChanged } from "@/lib/schemas/news";
import { newsText } from "./news-text";

const version = (day: string, label: string | null = null) => ({
  id: crypto.randomUUID(),
  label,
  published_at: `2026-${day}T12:00:00.000Z`,
});

/** How a change is told; its parts that are not given are those of one changed row. */
function textOf(change: object, threshold: ViewChanged["data"]["threshold"] = null, isWithheld = false): string[] {
  const whole = {
    ...{ keys: [], columns_added: [], columns_removed: [], reordered: false, added: 0, removed: 0, changed: 1 },
    ...change,
  };
  return newsText({
    kind: "view_changed",
    at: "2026-03-01T12:00:00.000Z",
    dataset: { id: crypto.randomUUID(), slug: "river-levels", title: "River levels", visibility: "public" },
    data: {
      view: { id: "k7Qm2ZxWvP", title: "Levels", query: "" },
      table: { id: crypto.randomUUID(), slug: "gauges" },
      ...{ before: version("02-28"), after: version("03-01", "1.3"), threshold },
      before_withheld: isWithheld,
      change: JSON.stringify(whole),
    },
  }).sentences;
}

const VERSIONS = "From the version of 28 Feb 2026 to version 1.3 of 1 Mar 2026.";

test("values that may no longer be read are not repeated", () => {
  expect(textOf({ keys: ["river"], changed: 12, rows: [] }, null, true)).toEqual([
    "12 rows changed.",
    "The values are not repeated here: the version before was withdrawn, or can no longer be read.",
    VERSIONS,
  ]);
});

describe("a change reads", () => {
  test("as one sentence if the result is one row", () => {
    const rows = [{ before: { mean: 12.3, n: 5 }, after: { mean: 14.1, n: 5 } }];
    expect(textOf({ rows })).toEqual(["mean: 12.3 → 14.1", VERSIONS]);
  });

  test("by groups, with what was added and removed, and how many more there are", () => {
    const rows = [
      { before: { river: "Rhine", mean: 1 }, after: { river: "Rhine", mean: null } },
      { before: null, after: { river: "Spree", mean: 2 } },
      { before: { river: "Oder", mean: 3 }, after: null },
    ];
    expect(textOf({ keys: ["river"], changed: 8, added: 1, removed: 1, rows })).toEqual([
      "8 rows changed, 1 row added, 1 row removed.",
      "river Rhine: mean 1 → no value",
      "Added: river Spree, mean 2",
      "Removed: river Oder, mean 3",
      "… and 7 more rows.",
      VERSIONS,
    ]);
  });

  test("as a threshold that is crossed, and as one that no row meets any more", () => {
    const rows = [{ before: { mean: 12.3 }, after: { mean: 14.1 } }];
    const above = { column: "mean", is: "above" as const, value: "14" };
    expect(textOf({ rows }, { ...above, is_met: true })[0]).toBe("mean is now above 14.");
    expect(textOf({ rows }, { ...above, is_met: false })[0]).toBe("mean is no longer above 14 in any row.");
    expect(textOf({ keys: ["river"], rows, changed: 2 }, { ...above, is_met: true })[0]).toBe(
      "mean is now above 14 in 2 more rows.",
    );
  });

  test("with rounded fractions, unless rounding hides the change", () => {
    const rows = [{ before: { mean: 35.666666666666664 }, after: { mean: 9.27365472132547 } }];
    expect(textOf({ rows })[0]).toBe("mean: 35.6667 → 9.27365");
    const near = [{ before: { mean: 35.666666666666664 }, after: { mean: 35.66666666666667 } }];
    expect(textOf({ rows: near })[0]).toBe("mean: 35.666666666666664 → 35.66666666666667");
  });

  test("on lines of its own, whatever was published", () => {
    const rows = [{ before: { name: "a\r\n\nBcc: x@example.org" }, after: { name: "x".repeat(500) } }];
    const [line = ""] = textOf({ rows });
    expect(line).toBe(`name: a Bcc: x@example.org → ${"x".repeat(80)}…`);
  });

  test("as columns or an order that changed", () => {
    expect(textOf({ changed: 0, columns_added: ["a"], columns_removed: ["b"], rows: [] })).toEqual([
      "Columns added: a.",
      "Columns removed: b.",
      VERSIONS,
    ]);
    expect(textOf({ changed: 0, reordered: true, rows: [] })[0]).toBe("The same rows are in another order.");
  });
});
