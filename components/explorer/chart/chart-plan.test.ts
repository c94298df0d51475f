import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChartSpec } from "@/components/chart/chart-spec";
import { drawChart } from "@/components/chart/draw-chart";
import { readReply, readRow } from "@/components/explorer/answer/reply-text";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { insideContext } from "@/lib/http/context";
import { execute } from "@/lib/operations/execute";
import { getSchema } from "@/lib/operations/get-schema";
import { queryTableAnonymously, queryTableForChart } from "@/lib/operations/query-table";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import type { Column } from "@/lib/schemas/column";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { textsOf } from "@/lib/view/filter-values";
import { queryText, viewQuery, WHOLE_TABLE } from "@/lib/view/view";
import { readView } from "@/lib/view/view-address";
import { chartPlan } from "./chart-plan";
import { type ChartData, type ChartQuestion, runPlan } from "./chart-question";
import { markFilters, rangeFilter } from "./mark-filters";

// biome-ignore lint/correctness/useHookAtTopLevel: not a hook of React.
useTestState();

const DAYS = 4000;
const START = Date.parse("2001-01-01T06:00:00Z");

interface Row {
  at: string;
  delay: number;
  carrier: string;
  share: number;
}

/** Four thousand rows, one per day; the delay has outliers at both ends. */
const ROWS: readonly Row[] = Array.from({ length: DAYS }, (_, day) => ({
  at: new Date(START + day * 86_400_000).toISOString().slice(0, 19),
  delay: day === 7 ? -90_000 : day === 8 ? 90_000 : (day * 37) % 200,
  carrier: `c${(day * 7) % 13}`,
  share: ((day * 53) % 1000) / 1000,
}));

let tableId = "";
let columns: readonly Column[] = [];

beforeAll(async () => {
  const lines = ROWS.map(({ at, delay, carrier, share }) => `${at},${delay},${carrier},${share}`);
  ({ table_id: tableId } = await publishText("days", `at,delay,carrier,share\n${lines.join("\n")}\n`));
  ({ columns } = await execute(getSchema, { path: { table_id: tableId } }, insideContext()));
});

afterAll(async () => {
  await closeReadingEngine();
});

const asked: ChartQuestion[] = [];

async function draw(address: string, spec: ChartSpec): Promise<ChartData> {
  const { view, faults } = readView(new URLSearchParams(address), columns);
  expect(faults).toEqual([]);
  asked.length = 0;
  return await runPlan(chartPlan({ view, columns, rows: DAYS }, spec), async (question) => {
    asked.push(question);
    const { view: of, limit, total } = question;
    const body = parseJsonBody(queryText(viewQuery(of, columns, { limit, ...(total && { total }) })));
    const { page } = await execute(queryTableForChart, { path: { table_id: tableId }, body }, insideContext());
    const reply = readReply(Buffer.from(page.body).toString());
    const { total: all, truncated } = reply.facts;
    return { columns: reply.columns, rows: reply.rows.map(readRow), total: all, truncated };
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const column = (name: string): Column => columns.find((entry) => entry.name === name) as Column;

/** The rows that filters select, computed independently. */
async function countOf(filters: ReturnType<typeof markFilters>): Promise<number> {
  const view = { ...WHOLE_TABLE, filters, aggregates: [{ function: "count" as const, as: "n" }] };
  const body = parseJsonBody(queryText(viewQuery(view, columns)));
  const { page } = await execute(queryTableAnonymously, { path: { table_id: tableId }, body }, insideContext());
  return Number(String(readReply(Buffer.from(page.body).toString()).rows.map(readRow)[0]?.n));
}

describe("a chart is made of all rows of its view", () => {
  test("rows over time are counted by spans, whose sum is the table", async () => {
    const data = await draw("", { kind: "line", x: "at", y: "" });
    expect(sum(data.rows.map(({ rows }) => Number(rows)))).toBe(DAYS);
    expect(data.extent).toBe("All 4,000 rows, counted per month");
    expect(data.rows[1]).toMatchObject({ at: "2001-02-01", rows: { value: "28" } });
    expect(asked).toHaveLength(1);
  });

  test("rows are counted in the spans that are chosen", async () => {
    const data = await draw("", { kind: "bar", x: "at", y: "", step: "year" });
    expect(data.rows.map(({ rows }) => Number(rows)).slice(0, 3)).toEqual([365, 365, 365]);
    expect(data.extent).toBe("All 4,000 rows, counted per year");
    expect(
      (await draw("filter=at:lt:2002-01-01", { kind: "line", x: "at", y: "delay", step: "month" })).rows,
    ).toHaveLength(12);
  });

  test("more rows than marks are drawn as averages of spans", async () => {
    const data = await draw("filter=delay:between:0,199", { kind: "line", x: "at", y: "delay" });
    const february = ROWS.filter(({ at, delay }) => at.startsWith("2001-02") && delay >= 0);
    expect(data.extent).toBe("All 3,998 matching rows, average delay per month");
    expect(Number(data.rows[1]?.["average delay"])).toBeCloseTo(sum(february.map(({ delay }) => delay)) / 28, 9);
  });

  test("a few thousand rows are drawn one by one, whatever a page would show", async () => {
    const data = await draw("filter=at:lt:2008-01-01", { kind: "line", x: "at", y: "delay" });
    expect(data.rows).toHaveLength(ROWS.filter(({ at }) => at < "2008").length);
    expect(data.extent).toMatch(/^All 2,5\d\d matching rows$/);
  });

  test("a group of a grouped view is a mark, beyond the groups of a page", async () => {
    const spec = { kind: "line", x: "at_week", y: "n" } as const;
    const data = await draw("group=at:week:at_week&agg=count::n&sort=at_week", spec);
    expect(data.rows.length).toBeGreaterThan(500);
    expect(data.extent).toBe(`All ${data.rows.length} groups`);
  });

  test("of many categories, only the largest are drawn, and the chart says so", async () => {
    const data = await draw("", { kind: "line", x: "at", y: "", series: "carrier" });
    const names = new Set(data.rows.map(({ carrier }) => carrier));
    expect(names.size).toBe(8);
    expect(data.extent).toBe("8 of 13 values of carrier, counted per month");
    const bars = await draw("", { kind: "bar", x: "carrier", y: "" });
    const counts = bars.rows.map(({ rows }) => Number(rows));
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(sum(counts)).toBe(DAYS);
  });
});

describe("what is drawn is named", () => {
  test("rows that share a place on a line are averaged, never joined by a zigzag", async () => {
    const bars = await draw("filter=at:lt:2002-01-01", { kind: "bar", x: "carrier", y: "delay" });
    expect(bars.extent).toBe("All 365 matching rows, average delay for each carrier");
    expect(bars.rows).toHaveLength(13);
    expect(bars.columns.find(({ name }) => name === "average delay")?.title).toBe("Average of delay");
    const steps = await draw("filter=share:lte:0.1&columns=share,delay", { kind: "line", x: "share", y: "delay" });
    expect(new Set(steps.rows.map(({ share }) => String(share))).size).toBe(steps.rows.length);
    expect(steps.extent).toMatch(/^All \d+ matching rows, average delay /);
  });

  test("more groups than a chart has room for are counted in its title", async () => {
    const spec = { kind: "line", x: "at_year", y: "n", series: "carrier" } as const;
    const data = await draw("group=at:year:at_year,carrier&agg=count::n", spec);
    expect(data.extent).toBe("All 143 groups; 8 of 13 values of carrier");
  });

  test("results and spans have their names in words, unless the author has named them", async () => {
    const spec = { kind: "line", x: "at_month", y: "avg_delay" } as const;
    const data = await draw("group=at:month:at_month&agg=avg:delay:avg_delay&agg=max:delay:worst", spec);
    expect(data.columns.map(({ title }) => title)).toEqual(["at, per month", "Average of delay", undefined]);
  });

  test("an incomplete span is marked, and a note says where its rows end", async () => {
    const data = await draw("", { kind: "line", x: "at", y: "", step: "month" });
    expect(data.notes).toEqual(["Dec 2011 is incomplete: its rows end on 14 Dec 2011."]);
    expect(data.columns.find(({ name }) => name === "at")?.partial).toEqual([Date.parse("2011-12-01")]);
    const whole = await draw("filter=at:lt:2002-01-01", { kind: "line", x: "at", y: "", step: "month" });
    expect(whole.notes).toEqual([]);
    const cut = await draw("filter=at:gte:2001-03-05&group=at:month:at_month&agg=count::n", {
      kind: "line",
      x: "at_month",
      y: "n",
    });
    expect(cut.notes[0]).toMatch(/^Mar 2001 is incomplete: its rows begin on 5 Mar 2001/);
    const week = await draw("filter=at:gte:2001-03-07&group=at:week:at_week&agg=count::n", {
      kind: "line",
      x: "at_week",
      y: "n",
    });
    expect(week.notes[0]).toMatch(/^Week of 5 Mar 2001 is incomplete: its rows begin on 7 Mar 2001/);
  });

  test("a number colours cells by its average where there are too many points", async () => {
    const data = await draw("filter=delay:between:0,199", { kind: "scatter", x: "share", y: "delay", series: "delay" });
    expect(data.extent).toBe("All 3,998 matching rows, average delay in cells");
    const drawing = drawChart(data.spec, data.columns, data.rows, 640);
    if ("problem" in drawing) throw new Error(drawing.problem);
    expect(drawing.marks.every(({ colour }) => colour !== undefined)).toBe(true);
  });
});

describe("histograms", () => {
  const inside = (low: number, high: number) => ROWS.filter(({ delay }) => delay >= low && delay < high).length;

  test.each(["", "filter=share:gte:0"])(
    "clip to the 1st and 99th percentile, with a bin beyond each: %s",
    async (address) => {
      const data = await draw(address, { kind: "histogram", x: "delay", y: "" });
      const bins = data.rows.map((row) => ({ ...row, rows: Number(row.rows) }) as never as Record<string, number>);
      expect(sum(bins.map(({ rows }) => rows ?? 0))).toBe(DAYS);
      expect([bins[0], bins.at(-1)]).toMatchObject([
        { outside: "below", rows: 1 },
        { outside: "above", rows: 1 },
      ]);
      for (const { from = 0, to = 0, rows } of bins.slice(1, -1)) expect(rows).toBe(inside(from, to));
      expect(data.notes[0]).toBe("Bins are regular between the 1st and 99th percentiles of delay.");
      const drawing = drawChart(data.spec, data.columns, data.rows, 640);
      if ("problem" in drawing) throw new Error(drawing.problem);
      expect(drawing.marks).toHaveLength(bins.length);
      expect(drawing.marks[0]?.facts[0]?.value).toMatch(/^below /);
    },
  );

  test("a column of numbers is summed in each bin", async () => {
    const data = await draw("filter=delay:between:0,199", { kind: "histogram", x: "share", y: "delay" });
    const all = sum(ROWS.filter(({ delay }) => delay >= 0 && delay < 200).map(({ delay }) => delay));
    expect(sum(data.rows.map(({ rows }) => Number(rows)))).toBe(all);
  });
});

test("a scatter plot of more points than marks counts them in cells", async () => {
  const data = await draw("filter=delay:between:0,199", { kind: "scatter", x: "share", y: "delay" });
  expect(sum(data.rows.map(({ rows_in_cell: rows }) => Number(rows)))).toBe(DAYS - 2);
  expect(data.extent).toBe("All 3,998 matching rows, counted in cells");
  const drawing = drawChart(data.spec, data.columns, data.rows, 640);
  if ("problem" in drawing) throw new Error(drawing.problem);
  expect(drawing.marks.every(({ shape, shade = 0 }) => shape === "cell" && shade >= 1 && shade <= 5)).toBe(true);
});

test("a map of more places than marks counts them in square cells", async () => {
  const data = await draw("filter=delay:between:0,199", { kind: "map", x: "share", y: "delay" });
  expect(new Set(data.columns.slice(0, 2).map(({ width }) => width))).toEqual(new Set([1]));
  expect(sum(data.rows.map(({ rows_in_cell: rows }) => Number(rows)))).toBe(DAYS - 2);
});

describe("a mark's filters select exactly the rows that it shows", () => {
  test.each<[string, ChartSpec, string]>([
    ["spans of time", { kind: "line", x: "at", y: "" }, "rows"],
    ["bins", { kind: "histogram", x: "share", y: "" }, "rows"],
    ["bins of outliers", { kind: "histogram", x: "delay", y: "" }, "rows"],
    ["categories", { kind: "bar", x: "carrier", y: "" }, "rows"],
    ["cells", { kind: "scatter", x: "share", y: "delay" }, "rows_in_cell"],
  ])("%s", async (_name, spec, count) => {
    const data = await draw("", spec);
    for (const row of [data.rows[0], data.rows[3], data.rows.at(-1)])
      if (row) expect(await countOf(markFilters(data, row, columns))).toBe(Number(row[count]));
  });
});

test("a range of an axis becomes one filter with round ends", () => {
  expect(rangeFilter(column("at"), [START + 5e8, START + 9e9])).toEqual({
    column: "at",
    operator: "between",
    value: ["2001-01-07T00:00:00Z", "2001-04-15T23:59:59Z"],
  });
  expect(textsOf(rangeFilter(column("delay"), [10.2, 20.7]))).toEqual(["11", "20"]);
  expect(textsOf(rangeFilter(column("share"), [0.123456, 0.23456]))).toEqual(["0.1235", "0.2345"]);
});

test("a chart's query has one page of few columns", async () => {
  const rejected = async (body: object) => {
    const input = { path: { table_id: tableId }, body: body as never };
    return await execute(queryTableForChart, input, insideContext()).then(
      () => undefined,
      (error: { faults: { pointer: string }[] }) => error.faults.map(({ pointer }) => pointer),
    );
  };
  expect(await rejected(parseJsonBody('{"columns":["at"],"limit":3000}') as object)).toBeUndefined();
  expect(await rejected(parseJsonBody('{"columns":["at"],"limit":3001}') as object)).toEqual(["/limit"]);
  expect(await rejected(parseJsonBody('{"columns":["at"],"offset":1}') as object)).toEqual(["/offset"]);
  expect(await rejected({ columns: ["a", "b", "c", "d", "e", "f", "g"] })).toContain("/columns");
});
