import { expect, test } from "vitest";
import { draftFault, emptyDraft, filterOf, onColumn } from "@/components/explorer/filters/filter-draft";
import { filterFaults, textsOf } from "@/lib/view/filter-values";
import { readView } from "@/lib/view/view-address";
import { frameTitle, viewSentence } from "./english";
import { operatorsOffered, operatorText } from "./operator-text";

const columns = [
  { name: "origin", type: "string" },
  { name: "distance", type: "int64" },
  { name: "date", type: "timestamp" },
];

test.each([
  ["", "All rows of flights."],
  ["columns=origin,date&limit=10", "Columns origin and date of the first 10 rows of flights."],
  ["filter=distance:gte:9007199254740993", "All rows of flights where distance is at least 9,007,199,254,740,993."],
  [
    "filter=origin:in:LAX,SFO&filter=distance:between:1,2&sort=-date,origin",
    "All rows of flights where origin is one of “LAX” or “SFO” and distance is between 1 " +
      "and 2 (inclusive), sorted by date in descending order, then by origin.",
  ],
  ["row=201&sort=date", "All rows of flights, sorted by date, starting at row 201."],
  ["filter=origin:is_null", "All rows of flights where origin is missing."],
  [
    "group=origin&agg=count::n&agg=avg:distance:m&sort=-n&limit=5",
    "For each origin, the number of rows and the average of distance, over all rows of flights, sorted by n in " +
      "descending order; the first 5 groups.",
  ],
  ["group=origin", "Each distinct origin, over all rows of flights, sorted by origin; the first 100 groups."],
  [
    "group=date:month:date_month&agg=count::n&sort=date_month",
    "For each month of date, the number of rows, over all rows of flights, sorted by date_month; the first 100 groups.",
  ],
  [
    "group=date:hour_of_day:hour,distance:500:from&agg=count::n",
    "For each hour of the day (0 to 23) of date and range of 500 of distance, the number of rows, over all rows of " +
      "flights, sorted by hour of the day (0 to 23) of date and range of 500 of distance; the first 100 groups.",
  ],
  ["agg=count::n&filter=origin:eq:LAX", "The number of rows, over all rows of flights where origin is “LAX”."],
  ["filter=date:gt:2018-02-05", "All rows of flights where date is after 2018-02-05 23:59:59.999999."],
])("%s reads: %s", (address, sentence) => {
  expect(viewSentence(readView(new URLSearchParams(address), columns).view, columns, "flights")).toBe(sentence);
});

test("a sentence about a part says so, and never mentions all rows", () => {
  const { view } = readView({}, columns);
  expect(viewSentence(view, columns, "flights", "first 100 of 741 rows")).toBe("The first 100 of 741 rows of flights.");
  const filtered = readView({ filter: "origin:eq:ORD", chart: "auto" }, columns).view;
  expect(frameTitle(filtered, columns, "flights")).toBe("Chart of flights where origin is “ORD”");
});

test("a draft is validated by the service's rules and becomes the typed filter", () => {
  const [origin, distance, date] = columns;
  if (!origin || !distance || !date) throw new Error("no columns");
  expect(draftFault(emptyDraft(distance, 1), columns)).toBe("Enter a value.");
  expect(draftFault({ ...emptyDraft(distance, 1), low: "many" }, columns)).toBe("Expected a number.");
  expect(draftFault({ ...emptyDraft(distance, 1), operator: "between", low: "5", high: "1" }, columns)).toBe(
    "The first value must not be greater than the second.",
  );
  expect(draftFault({ ...emptyDraft(distance, 1), low: "6,4" }, columns)).toBe(
    "Invalid number: 6,4. Did you mean 6.4? Commas can only separate thousands, as in 1,234.",
  );
  expect(draftFault({ ...emptyDraft(distance, 1), low: "1,234" }, columns)).toBeUndefined();
  expect(draftFault({ ...emptyDraft(date, 1), low: "2001-01-01" }, columns)).toBeUndefined();
  expect(draftFault({ ...emptyDraft(date, 1), low: "1 Jan" }, columns)).toBe(
    "Invalid time: 1 Jan. Enter a date, such as 2018-02-05, or a time in UTC, such as 2018-02-05 13:30.",
  );
  expect(draftFault({ ...emptyDraft(origin, 1), operator: "in" }, columns)).toBe(
    "Enter at least one value, one per line.",
  );
  expect(draftFault({ ...emptyDraft(origin, 1), operator: "contains" }, columns)).toBe("Enter a value.");
  expect(onColumn({ ...emptyDraft(date, 1), low: "2001-01-01" }, origin)).toEqual(emptyDraft(origin, 1));
  const many = { ...emptyDraft(origin, 1), operator: "in" as const, lines: "LAX\n\nSan Francisco, CA\n" };
  expect([draftFault(many, columns), textsOf(filterOf(many, columns))]).toEqual([
    undefined,
    ["LAX", "San Francisco, CA"],
  ]);
  expect(filterFaults(filterOf({ ...emptyDraft(origin, 1), low: "" }, columns), origin)).toEqual([]);
});

test.each([
  ["timestamp", "gt", "is after"],
  ["date", "lte", "is on or before"],
  ["int64", "gt", "is greater than"],
] as const)("for a %s, %s is called “%s”", (type, name, words) => {
  expect(operatorText(name, type)).toBe(words);
});

test("booleans offer no ordering operators, unless a link uses one", () => {
  expect(operatorsOffered("boolean")).toEqual(["eq", "neq", "in", "not_in", "is_null", "is_not_null"]);
  expect(operatorsOffered("boolean", "gt")).toContain("gt");
});
