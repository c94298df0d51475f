import fc from "fast-check";
import { LosslessNumber } from "lossless-json";
import { describe, expect, test } from "vitest";
import type { ChartColumn, ChartKind, ChartRow } from "./chart-spec";
import { columnTitle, withAxisTitles } from "./chart-text";
import { drawChart } from "./draw-chart";
import type { Drawing } from "./drawing";
import { drawnParts } from "./drawn-part";

const COLUMNS: ChartColumn[] = [
  { name: "name", type: "string" },
  { name: "day", type: "date" },
  { name: "at", type: "timestamp" },
  { name: "n", type: "float64", unit: "min" },
  { name: "m", type: "int64" },
];

const draw = (kind: ChartKind, x: string, y: string, rows: readonly ChartRow[], width = 640, series?: string) =>
  drawChart({ kind, x, y, ...(series && { series }) }, COLUMNS, rows, width);

function drawn(result: ReturnType<typeof drawChart>): Drawing {
  if ("problem" in result) throw new Error(result.problem);
  return result;
}

/** Every coordinate of a picture is a finite number inside it. */
function checkInside(drawing: Drawing): void {
  for (const { x, y, width, height } of drawing.marks) {
    for (const value of [x, y, width, height]) expect(Number.isFinite(value)).toBe(true);
    expect(x).toBeGreaterThanOrEqual(-0.5);
    expect(x + width).toBeLessThanOrEqual(drawing.width + 0.5);
    expect(y).toBeGreaterThanOrEqual(-0.5);
    expect(y + height).toBeLessThanOrEqual(drawing.height + 0.5);
    expect(height).toBeGreaterThanOrEqual(0);
  }
  for (const { path } of drawing.lines) expect(path).not.toMatch(/NaN|Infinity/);
  for (const axis of drawing.axes) {
    expect(axis.ticks.every(({ at, text }) => Number.isFinite(at) && !/NaN|Infinity|undefined/.test(text))).toBe(true);
  }
}

const number = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 5e-324, 1e308, -1e308, Number.MAX_VALUE, 1e15),
  fc.integer(),
  fc.constantFrom(
    null,
    "NaN",
    "Infinity",
    "-Infinity",
    "123456789012345678901234567890.5",
    new LosslessNumber("9223372036854775807"),
  ),
);
const day = fc.oneof(
  fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constant(null),
);
const row = fc.record({
  name: fc.oneof(fc.string(), fc.constantFrom(null, "a", "b", "")),
  day: day.map((text) => text?.slice(0, 10) ?? null),
  at: day,
  n: number,
  m: number,
}) as fc.Arbitrary<ChartRow>;

describe("whatever the values, a chart is drawn within its bounds or says why not", () => {
  const asked = fc.constantFrom<[ChartKind, string, string, string?]>(
    ["line", "at", "n"],
    ["line", "n", "m", "name"],
    ["line", "day", "m", "name"],
    ["scatter", "n", "m", "name"],
    ["histogram", "n", ""],
    ["histogram", "m", "n"],
    ["histogram", "day", ""],
    ["bar", "name", "n"],
    ["bar", "name", "n", "day"],
    ["bar", "m", "n"],
    ["bar", "day", "n", "name"],
  );
  test("any rows at any width", () => {
    fc.assert(
      fc.property(
        asked,
        fc.array(row, { maxLength: 60 }),
        fc.integer({ min: 220, max: 1600 }),
        ([kind, x, y, series], rows, width) => {
          const result = draw(kind, x, y, rows, width, series);
          if ("problem" in result) expect(result.problem).toMatch(/^(No rows|None of these rows)/);
          else checkInside(result);
        },
      ),
      { numRuns: 150 },
    );
  });

  test.each<[string, unknown[]]>([
    ["one row", [3]],
    ["equal values", [7, 7, 7]],
    ["zeros", [0, 0]],
    ["the ends of doubles", [-1e308, 1e308]],
    ["numbers next to zero", [5e-324, 1e-323]],
    ["numbers next to each other", [1, 1 + Number.EPSILON]],
  ])("%s", (_name, values) => {
    const rows = values.map((n, at) => ({ name: `r${at}`, n, m: at }));
    for (const [kind, x, y] of [
      ["histogram", "n", ""],
      ["bar", "name", "n"],
      ["scatter", "n", "m"],
      ["line", "m", "n"],
      ["bar", "n", "m"],
    ] as const) {
      const drawing = drawn(draw(kind, x, y, rows));
      expect(drawing.marks.length).toBeGreaterThan(0);
      checkInside(drawing);
    }
  });
});

describe("omitted values are reported", () => {
  const rows = [
    { n: 1, m: 1 },
    { n: null, m: 2 },
    { n: "NaN", m: 3 },
    { n: "Infinity", m: 4 },
  ];
  test("nulls separately from NaN and infinity", () => {
    const drawing = drawn(draw("scatter", "n", "m", rows));
    expect(drawing.marks).toHaveLength(1);
    expect(drawing.notes).toEqual([
      "Not shown: 1 of 4 rows without a value.",
      "Not shown: 2 of 4 rows with NaN or infinity.",
    ]);
  });

  test("only nulls give a sentence instead of a chart", () => {
    expect(draw("histogram", "n", "", [{ n: null }, { n: null }])).toEqual({
      problem: "None of these rows can be drawn. Not shown: 2 of 2 rows without a value.",
    });
    expect(draw("histogram", "n", "", [])).toEqual({ problem: "No rows to draw." });
  });

  test("categories beyond the first twenty, kinds beyond the first eight, but never a point", () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ name: `r${at}`, n: at, m: at }));
    expect(drawnParts({ kind: "bar", x: "name", y: "n" }, COLUMNS, many)).toEqual(["20 of 50 values of name"]);
    expect(drawnParts({ kind: "line", x: "n", y: "m", series: "name" }, COLUMNS, many)).toEqual([
      "8 of 50 values of name",
    ]);
    const points = drawn(draw("scatter", "n", "m", many, 640, "name"));
    expect(points.marks).toHaveLength(50);
    expect(points.legend).toHaveLength(9);
    expect(points.legend.at(-1)).toBe("42 other values");
  });

  test("a missing column, or one that cannot be drawn that way", () => {
    expect(draw("bar", "nothing", "n", rows)).toEqual({ problem: "The result has no column nothing to draw." });
    expect(draw("line", "name", "n", rows)).toHaveProperty("problem");
    expect(draw("bar", "name", "name", rows)).toHaveProperty("problem");
  });
});

test("bars start at zero in proportion to their values, in the result's order", () => {
  const { marks, axes } = drawn(
    draw("bar", "name", "n", [
      { name: "b", n: 10 },
      { name: "a", n: 40 },
      { name: null, n: -20 },
    ]),
  );
  const [ten, forty, minus] = marks;
  expect((forty?.width ?? 0) / (ten?.width ?? 1)).toBeCloseTo(4, 1);
  expect((minus?.x ?? 0) + (minus?.width ?? 0)).toBeCloseTo(ten?.x ?? 0, 1);
  expect(axes.find(({ side }) => side === "left")?.ticks.map(({ text }) => text)).toEqual(["b", "a", "null"]);
});

test("a mark shows its row's exact values", () => {
  const { marks } = drawn(
    draw("bar", "name", "m", [
      { name: "x", m: new LosslessNumber("9007199254740993") },
      { name: "y", m: "12345678901234567890" },
    ]),
  );
  expect(marks.map(({ facts }) => facts[1]?.value)).toEqual(["9,007,199,254,740,993", "12345678901234567890"]);
});

test("a histogram counts every row once, with one bin per integer", () => {
  const rows = [1, 1, 2, 3, 6, 6].map((m) => ({ m }));
  const { marks } = drawn(draw("histogram", "m", "", rows));
  expect(marks.map(({ facts }) => facts.map(({ value }) => value))).toEqual([
    ["1", "2"],
    ["2", "1"],
    ["3", "1"],
    ["4", "0"],
    ["5", "0"],
    ["6", "2"],
  ]);
});

test("lines connect points in chronological order, one line per series", () => {
  const rows = [
    { day: "2020-01-03", n: 3, name: "a" },
    { day: "2020-01-01", n: 1, name: "a" },
    { day: "2020-01-02", n: 2, name: "b" },
  ];
  const { lines, marks, legend } = drawn(draw("line", "day", "n", rows, 640, "name"));
  expect(legend).toEqual(["a", "b"]);
  expect(lines).toHaveLength(2);
  expect(marks.filter(({ series }) => series === 0).map(({ facts }) => facts[0]?.value)).toEqual([
    "2020-01-01",
    "2020-01-03",
  ]);
});

test(
  "a line breaks where a row has no value, in its own series alone; a value between two gaps is a stroke of its " +
    "own",
  () => {
    const rows = [1, null, 2, "NaN", 4, 5].map((n, at) => ({ day: `2020-01-0${at + 1}`, n, name: "a" }));
    const [a, b] = drawn(
      draw(
        "line",
        "day",
        "n",
        [...rows, { day: "2020-01-01", n: 1, name: "b" }, { day: "2020-01-06", n: 2, name: "b" }],
        640,
        "name",
      ),
    ).lines;
    expect(a?.path.replace(/[\d.,]+/g, "_")).toBe("M_ZM_ZM_L_");
    expect(b?.path.replace(/[\d.,]+/g, "_")).toBe("M_L_");
  },
);

test("labels are cut to fit, and bars keep most of a narrow chart", () => {
  const long = "An airport with a very long name indeed, somewhere in the north";
  const { axes, plot } = drawn(draw("bar", "name", "n", [{ name: long, n: 3 }], 300));
  expect(axes.find(({ side }) => side === "left")?.ticks[0]?.text).toMatch(/^An airport.*…$/);
  expect(plot.width).toBeGreaterThan(120);
});

describe("points by a number", () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({ n: at % 7, m: at, at: null, name: `r${at}` }));

  test("each has its own place on one continuous scale of colours, the highest on top", () => {
    const { marks, colours, legend } = drawn(draw("scatter", "n", "m", rows, 640, "m"));
    expect(marks.map(({ row }) => row)).toEqual(rows.map((_, at) => at));
    expect(new Set(marks.map(({ colour }) => colour)).size).toBe(40);
    expect(colours).toMatchObject({ title: "m" });
    expect(colours?.ticks.map(({ text }) => text)).toEqual(["0", "10", "20", "30", "40"]);
    expect(legend).toEqual([]);
  });

  test("those without a value are grey and counted", () => {
    const { marks, notes } = drawn(
      draw("scatter", "n", "m", [...rows, { n: 1, m: 2, at: "2001-01-01T00:00:00Z" }], 640, "at"),
    );
    expect(marks.filter(({ colour }) => colour === undefined)).toHaveLength(40);
    expect(notes).toEqual(["Grey: 40 marks without a value of at."]);
  });

  test("their areas are in proportion to another number, the largest below", () => {
    const drawing = drawChart({ kind: "scatter", x: "n", y: "m", size: "m" }, COLUMNS, rows, 640);
    const marks = drawn(drawing).marks;
    expect(marks).toHaveLength(40);
    const radius = (row: number) => marks.find((mark) => mark.row === row)?.radius ?? 0;
    expect((radius(36) / radius(9)) ** 2).toBeCloseTo(4, 0);
    expect(marks[0]?.row).toBe(39);
  });
});

describe("spans of time", () => {
  const months = ["2001-01-01", "2001-02-01", "2001-05-01", "2001-06-01"];
  const columns: ChartColumn[] = [
    { name: "day", type: "date", span: "month", partial: [Date.parse("2001-06-01")] },
    { name: "m", type: "int64" },
  ];
  const rows = months.map((day, at) => ({ day, m: at }));

  test("a line breaks at missing ones, and does not lead to an incomplete one", () => {
    const [line] = drawn(drawChart({ kind: "line", x: "day", y: "m" }, columns, rows, 640)).lines;
    expect(line?.path.match(/M/g)).toHaveLength(2);
    expect(line?.path.match(/L/g)).toHaveLength(1);
    expect(line?.partial?.match(/M/g)).toHaveLength(1);
  });

  test("bars leave room for missing ones, are named by month, and mark an incomplete one", () => {
    const { marks, axes } = drawn(drawChart({ kind: "bar", x: "day", y: "m" }, columns, rows, 640));
    const [one, two, three] = marks.map(({ x }) => x) as [number, number, number];
    expect(three - two).toBeCloseTo(3 * (two - one), 0);
    expect(axes[0]?.ticks.map(({ text }) => text)).toContain("May 2001");
    expect(marks.map(({ isPartial = false }) => isPartial)).toEqual([false, false, false, true]);
  });

  test.each([
    ["month_of_year", ["Jan", "Feb"], ["January", "February"]],
    ["day_of_week", ["Mon", "Tue"], ["Monday", "Tuesday"]],
  ] as const)("%s has names on axes and in facts", (span, short, long) => {
    const parts: ChartColumn[] = [
      { name: "part", type: "int32", span },
      { name: "m", type: "int64" },
    ];
    const values = [1, 2].map((part) => ({ part, m: part }));
    const bars = drawn(drawChart({ kind: "bar", x: "part", y: "m" }, parts, values, 640));
    expect(bars.axes[0]?.ticks.map(({ text }) => text)).toEqual(long);
    expect(bars.marks.map(({ facts }) => facts[0]?.value)).toEqual(long);
    const line = drawn(drawChart({ kind: "line", x: "part", y: "m" }, parts, values, 640));
    expect(line.axes[0]?.ticks.map(({ text }) => text)).toEqual(short);
  });
});

test("the author's words for an axis replace its column's", () => {
  const titled = withAxisTitles(COLUMNS, { kind: "scatter", x: "m", y: "n" }, { yTitle: "Delay" });
  const { axes } = drawn(
    drawChart(
      { kind: "scatter", x: "m", y: "n" },
      titled,
      [
        { m: 1, n: 2 },
        { m: 2, n: 3 },
      ],
      640,
    ),
  );
  expect(axes.map(({ title }) => title)).toEqual(["m", "Delay"]);
  expect(columnTitle({ name: "avg_n", type: "float64", title: "Average of n", unit: "min" })).toBe(
    "Average of n (min)",
  );
});
