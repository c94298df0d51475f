import { expect } from "@playwright/test";
import type { OneCallQuestion } from "./one-call-questions";

const is = (column: string, value: unknown) => ({ column, operator: "eq", value });
const over = (column: string, operator: string, value: unknown) => ({ column, operator, value });
const count = { function: "count", as: "n" };
const most = (column: string) => [{ column, direction: "desc" }];
const by = (column: string, bucket: string, more: object = {}) => [{ column, bucket, as: "when", ...more }];
const inTime = [{ column: "when" }];
const near = (value: number, digits = 6) => expect.closeTo(value, digits);

const penguins = { table_id: "palmer-penguins" };
const weather = { table_id: "daily-weather" };
const seattle = { ...weather, filters: [is("location", "Seattle")] };
const co2 = { table_id: "mauna-loa-co2" };
const quakes = { table_id: "earthquakes-2018" };
const flights = { table_id: "us-flights-2001" };
const strikes = { table_id: "bird-strikes" };
const zip = { table_id: "us-zip-codes" };
const mime = { table_id: "mime-types" };

const [FLIPPER, MASS] = ["Flipper Length (mm)", "Body Mass (g)"];
const corr = (column: string, other: string) => ({ function: "corr", column, with: other, as: "r" });
const slope = (column: string, other: string) => ({ function: "slope", column, with: other, as: "slope" });

/** How two columns go together. */
const RELATIONS: readonly OneCallQuestion[] = [
  {
    ask: "Do penguins with longer flippers weigh more?",
    args: { ...penguins, aggregates: [corr(FLIPPER, MASS)] },
    status: "COMPLETE: 1 group",
    rows: [[near(0.871201767306011)]],
  },
  {
    ask: "By how many grams per millimetre, for each kind of penguin?",
    args: { ...penguins, group_by: ["Species"], aggregates: [slope(MASS, FLIPPER)], order_by: [{ column: "Species" }] },
    status: "COMPLETE: 3 groups",
    rows: [
      ["Adelie", near(32.831689751150186)],
      ["Chinstrap", near(34.573393861980854)],
      ["Gentoo", near(54.62250188566831)],
    ],
  },
  {
    ask: "Where do warm days have warm nights, in Seattle or New York?",
    args: { ...weather, group_by: ["location"], aggregates: [corr("temp_max", "temp_min")], order_by: most("r") },
    status: "COMPLETE: 2 groups",
    rows: [
      ["New York", near(0.9615873325083805)],
      ["Seattle", near(0.8756866637108158)],
    ],
  },
  {
    ask: "Are longer flights later?",
    args: { ...flights, aggregates: [corr("delay", "distance"), slope("delay", "distance")] },
    status: "COMPLETE: 1 group",
    rows: [[near(-0.010538119010309493), near(-0.000593838072)]],
  },
  {
    ask: "Are deeper earthquakes stronger, and by how much per kilometre?",
    args: { ...quakes, aggregates: [corr("mag", "depth"), slope("mag", "depth")] },
    status: "COMPLETE: 1 group",
    rows: [[near(0.3723105799508586), near(0.011911895993926924)]],
  },
  {
    ask: "Do faster aircraft cost more after a bird strike?",
    args: { ...strikes, aggregates: [corr("Speed IAS in knots", "Cost Total $")] },
    status: "COMPLETE: 1 group",
    rows: [[near(0.0019850016642644496)]],
  },
];

/** Values of a row or group beside those of others. */
const WINDOWS: readonly OneCallQuestion[] = [
  {
    ask: "In which year did CO2 rise most over the year before?",
    args: {
      ...co2,
      group_by: by("Date", "year"),
      aggregates: [{ function: "avg", column: "CO2", as: "mean" }],
      derive: [{ as: "rise", function: "change", of: "mean", over: "when" }],
      order_by: most("rise"),
      limit: 1,
    },
    status: "TOP 1 of 63 groups",
    rows: [["2016-01-01", near(404.2775), near(3.3925)]],
    notes: ["partial_span"],
  },
  {
    ask: "What was the mean of CO2 over the last twelve months?",
    args: {
      ...co2,
      group_by: by("Date", "month"),
      aggregates: [{ function: "avg", column: "CO2", as: "mean" }],
      derive: [{ as: "year", function: "moving_average", of: "mean", over: "when", size: 12 }],
      order_by: most("when"),
      limit: 1,
    },
    status: "TOP 1 of 741 groups",
    rows: [["2020-04-01", near(416.18), near(412.3325)]],
    notes: ["gaps"],
  },
  {
    ask: "How much rain had Seattle by the end of each month of 2015?",
    args: {
      ...weather,
      filters: [is("location", "Seattle"), over("date", "between", ["2015-01-01", "2015-12-31"])],
      group_by: by("date", "month"),
      aggregates: [{ function: "sum", column: "precipitation", as: "mm" }],
      derive: [{ as: "so_far", function: "running_total", of: "mm", over: "when" }],
      order_by: inTime,
    },
    status: "COMPLETE: 12 groups",
    rows: [93, 227.2, 340.7, 392.3, 407.1, 413, 415.3, 498.6, 519.7, 642.1, 854.7, 1139.2].map((mm, at) => [
      `2015-${String(at + 1).padStart(2, "0")}-01`,
      expect.any(Number),
      near(mm),
    ]),
    notes: [],
  },
  {
    ask: "By what share did Seattle's rain of a year change from the year before?",
    args: {
      ...seattle,
      group_by: by("date", "year"),
      aggregates: [{ function: "sum", column: "precipitation", as: "mm" }],
      derive: [{ as: "change", function: "change_ratio", of: "mm", over: "when" }],
      order_by: inTime,
    },
    status: "COMPLETE: 4 groups",
    rows: [
      ["2012-01-01", near(1226), null],
      ["2013-01-01", near(828), near(-0.324633)],
      ["2014-01-01", near(1232.8), near(0.488889)],
      ["2015-01-01", near(1139.2), near(-0.075925)],
    ],
    notes: [],
  },
  {
    ask: "Which state is second by its number of ZIP codes?",
    args: {
      ...zip,
      group_by: ["state"],
      aggregates: [count],
      derive: [{ as: "place", function: "rank", of: "n" }],
      having: [is("place", 2)],
    },
    status: "COMPLETE: 1 group",
    rows: [["CA", 2666, 2]],
  },
  {
    ask: "When was the mean of seven days of flights highest?",
    args: {
      ...flights,
      group_by: by("date", "day"),
      aggregates: [count],
      derive: [{ as: "week", function: "moving_average", of: "n", over: "when", size: 7 }],
      order_by: most("week"),
      limit: 1,
    },
    status: "TOP 1 of 182 groups",
    rows: [["2001-06-30", expect.any(Number), near(17_077.428571428572)]],
  },
];

/** The first of each, and parts of a whole. */
const FIRST_OF_EACH: readonly OneCallQuestion[] = [
  {
    ask: "Which is the heaviest penguin of each kind, and where does it live?",
    args: {
      ...penguins,
      columns: ["Species", MASS, "Island", "Sex"],
      top: { by: ["Species"], count: 1 },
      order_by: most(MASS),
    },
    status: "COMPLETE: 3 rows",
    rows: [
      ["Gentoo", 6300, "Biscoe", "MALE"],
      ["Chinstrap", 4800, "Dream", "MALE"],
      ["Adelie", 4775, "Biscoe", "MALE"],
    ],
  },
  {
    ask: "Where do most flights go from JFK, Los Angeles and Atlanta, the first three of each?",
    args: {
      ...flights,
      filters: [over("origin", "in", ["ATL", "JFK", "LAX"])],
      group_by: ["origin", "destination"],
      aggregates: [count],
      top: { by: ["origin"], count: 3 },
      order_by: [{ column: "origin" }, ...most("n")],
    },
    status: "COMPLETE: 9 groups",
    rows: [
      ["ATL", "ORD", 4467],
      ["ATL", "DFW", 4464],
      ["ATL", "EWR", 3931],
      ["JFK", "LAX", 4359],
      ["JFK", "SFO", 2892],
      ["JFK", "SJU", 1984],
      ["LAX", "LAS", 8323],
      ["LAX", "PHX", 7462],
      ["LAX", "SAN", 6670],
    ],
  },
  {
    ask: "What share of all flights leaves from the busiest airports?",
    args: {
      ...flights,
      group_by: ["origin"],
      aggregates: [count, { function: "share", of: [], as: "share" }],
      order_by: most("n"),
      limit: 3,
    },
    status: "TOP 3 of 229 groups",
    rows: [
      ["ORD", 166_341, near(0.055447)],
      ["DFW", 157_162, near(0.052387333)],
      ["ATL", 124_711, near(0.041570333)],
    ],
  },
  {
    ask: "Of each city's days, what share had snow?",
    args: {
      ...weather,
      group_by: ["location", "weather"],
      aggregates: [{ function: "share", of: ["location"], as: "share" }],
      having: [is("weather", "snow")],
      order_by: most("share"),
    },
    status: "COMPLETE: 2 groups",
    rows: [
      ["New York", "snow", near(0.063655)],
      ["Seattle", "snow", near(0.017796)],
    ],
  },
];

/** Items of lists. */
const ITEMS: readonly OneCallQuestion[] = [
  {
    ask: "Which file extension belongs to most MIME types?",
    args: {
      ...mime,
      group_by: [{ column: "extensions", bucket: "element", as: "extension" }],
      aggregates: [count],
      order_by: [...most("n"), { column: "extension" }],
      limit: 5,
    },
    status: expect.stringMatching(/^TOP 5 of [\d,]+ groups$/),
    rows: [
      ["exe", 3],
      ["prc", 3],
      ["rar", 3],
      ["wav", 3],
      ["3gpp", 2],
    ],
    notes: ["nulls_left_out"],
  },
  {
    ask: "How many MIME types have no, one, two or three extensions?",
    args: {
      ...mime,
      group_by: [{ column: "extensions", bucket: "length", as: "extensions_n" }],
      aggregates: [count],
      order_by: most("n"),
      limit: 4,
    },
    status: expect.stringMatching(/^TOP 4 of \d+ groups$/),
    rows: [
      [null, 1507],
      [1, 874],
      [2, 91],
      [3, 17],
    ],
  },
  {
    ask: "Which networks reported most of the earthquakes?",
    args: {
      ...quakes,
      group_by: [{ column: "sources", bucket: "element", as: "network" }],
      aggregates: [count],
      order_by: most("n"),
      limit: 3,
    },
    status: expect.stringMatching(/^TOP 3 of \d+ groups$/),
    rows: [
      ["ci", 386],
      ["nc", 372],
      ["ak", 307],
    ],
  },
  {
    ask: "How many earthquakes were reported by more than one network?",
    args: {
      ...quakes,
      group_by: [{ column: "sources", bucket: "length", as: "networks" }],
      aggregates: [count],
      order_by: [{ column: "networks" }],
    },
    status: "COMPLETE: 3 groups",
    rows: [
      [1, 1613],
      [2, 92],
      [3, 2],
    ],
  },
];

const around = (latitude: number, longitude: number, km?: number) => ({
  near: { latitude: "latitude", longitude: "longitude", of: [latitude, longitude], ...(km !== undefined && { km }) },
});

/** How far something is. */
const DISTANCES: readonly OneCallQuestion[] = [
  {
    ask: "How many earthquakes were there within 100 km of Los Angeles?",
    args: { ...quakes, ...around(34.0522, -118.2437, 100), aggregates: [count] },
    status: "COMPLETE: 1 group",
    rows: [[34]],
  },
  {
    ask: "Which one was nearest to it, and how far?",
    args: {
      ...quakes,
      ...around(34.0522, -118.2437),
      columns: ["place", "mag", "distance_km"],
      order_by: [{ column: "distance_km" }],
      limit: 1,
    },
    status: expect.stringMatching(/^TOP 1 of 1,707 rows/),
    rows: [["4km WNW of Willowbrook, CA", 1.47, near(14.681, 9)]],
  },
  {
    ask: "What was the strongest earthquake within 50 km of San Francisco?",
    args: {
      ...quakes,
      ...around(37.7749, -122.4194, 50),
      columns: ["mag", "place"],
      order_by: most("mag"),
      limit: 1,
      total: true,
    },
    status: expect.stringMatching(/^TOP 1 of 7 rows/),
    rows: [[1.77, "4km WNW of San Francisco Zoo, CA"]],
  },
  {
    ask: "How many ZIP codes lie within 10 km of the centre of Denver?",
    args: { ...zip, ...around(39.7392, -104.9903, 10), aggregates: [count] },
    status: "COMPLETE: 1 group",
    rows: [[38]],
  },
  {
    ask: "Which counties have ZIP codes within 100 km of Honolulu?",
    args: {
      ...zip,
      ...around(21.3069, -157.8583, 100),
      group_by: ["county"],
      aggregates: [count],
      order_by: most("n"),
    },
    status: "COMPLETE: 2 groups",
    rows: [
      ["Honolulu", 23],
      ["Maui", 4],
    ],
  },
];

const californian = { ...quakes, filters: [over("place", "contains", "California")] };

/** What a part of a time means, and where spans end. */
const TIMES: readonly OneCallQuestion[] = [
  {
    ask: "At what hour of their day did Californians feel most earthquakes?",
    args: {
      ...californian,
      group_by: by("time", "hour_of_day", { zone: "America/Los_Angeles" }),
      aggregates: [count],
      order_by: [...most("n"), { column: "when" }],
      limit: 3,
    },
    status: expect.stringMatching(/^TOP 3 of \d+ groups$/),
    rows: [
      [8, 11],
      [0, 7],
      [7, 7],
    ],
  },
  {
    ask: "How many were there on each of their days?",
    args: {
      ...californian,
      group_by: by("time", "day", { zone: "America/Los_Angeles" }),
      aggregates: [count],
      order_by: inTime,
    },
    status: "COMPLETE: 8 groups",
    rows: [1, 5, 13, 6, 9, 23, 12, 9].map((n, at) => [at < 2 ? `2018-01-${30 + at}` : `2018-02-0${at - 1}`, n]),
    notes: ["partial_span"],
  },
  {
    ask: "Without a zone the hours are those of UTC. Does the service say so?",
    args: { ...quakes, group_by: by("time", "hour_of_day"), aggregates: [count], limit: 1, order_by: inTime },
    status: "TOP 1 of 24 groups",
    rows: [],
    notes: ["utc_hours"],
  },
  {
    ask: "On which day of the week does it rain most in Seattle?",
    args: {
      ...seattle,
      group_by: by("date", "day_of_week"),
      aggregates: [{ function: "sum", column: "precipitation", as: "mm" }],
      order_by: most("mm"),
      limit: 2,
    },
    status: "TOP 2 of 7 groups",
    rows: [
      [6, near(702.8)],
      [7, near(667.4)],
    ],
    notes: ["week_starts_monday"],
  },
  {
    ask: "What was the mean of CO2 in each of the last years?",
    args: {
      ...co2,
      group_by: by("Date", "year"),
      aggregates: [{ function: "avg", column: "CO2", as: "mean" }, count],
      order_by: most("when"),
      limit: 3,
    },
    status: "TOP 3 of 63 groups",
    rows: [
      ["2020-01-01", near(414.5375), 4],
      ["2019-01-01", near(411.495), 12],
      ["2018-01-01", near(408.5875), 12],
    ],
    notes: ["partial_span"],
  },
  {
    ask: "In which month were flights latest?",
    args: {
      ...flights,
      group_by: by("date", "month"),
      aggregates: [{ function: "avg", column: "delay", as: "minutes" }],
      order_by: most("minutes"),
      limit: 2,
    },
    status: "TOP 2 of 7 groups",
    rows: [
      ["2001-07-01", near(44.5)],
      ["2001-06-01", near(9.039122)],
    ],
    notes: ["partial_span"],
  },
  {
    ask: "How many bird strikes were there by the end of 2001?",
    args: {
      ...strikes,
      group_by: by("Flight Date", "year"),
      aggregates: [count],
      derive: [{ as: "so_far", function: "running_total", of: "n", over: "when" }],
      having: [is("when", "2001-01-01")],
    },
    status: "COMPLETE: 1 group",
    rows: [["2001-01-01", 1095, 9373]],
    notes: ["partial_span"],
  },
];

/** Bands of numbers that have no exact binary form. */
const BANDS: readonly OneCallQuestion[] = [
  {
    ask: "How many earthquakes had a magnitude of 0.3 to below 0.4, as a band?",
    args: {
      ...quakes,
      group_by: [{ column: "mag", width: 0.1, as: "from" }],
      aggregates: [count],
      having: [is("from", 0.3)],
    },
    status: "COMPLETE: 1 group",
    rows: [[0.3, 81]],
  },
  {
    ask: "And as a filter?",
    args: { ...quakes, filters: [over("mag", "gte", 0.3), over("mag", "lt", 0.4)], aggregates: [count] },
    status: "COMPLETE: 1 group",
    rows: [[81]],
  },
  {
    ask: "How warm do Seattle's days get, in steps of five degrees?",
    args: {
      ...seattle,
      group_by: [{ column: "temp_max", width: 5, as: "from" }],
      aggregates: [count],
      order_by: [{ column: "from" }],
    },
    status: "COMPLETE: 9 groups",
    rows: [3, 38, 250, 393, 285, 251, 178, 61, 2].map((n, at) => [5 * (at - 1), n]),
  },
  {
    ask: "How deep are penguins' beaks, in steps of two millimetres?",
    args: {
      ...penguins,
      filters: [over("Beak Depth (mm)", "gt", 0)],
      group_by: [{ column: "Beak Depth (mm)", width: 2, as: "from" }],
      aggregates: [count],
      order_by: [{ column: "from" }],
    },
    status: "COMPLETE: 5 groups",
    rows: [21, 82, 104, 112, 23].map((n, at) => [12 + 2 * at, n]),
  },
];

/** Values spelt otherwise than in the data, whose answer of zero would mislead. */
const SPELLINGS: readonly OneCallQuestion[] = [
  {
    ask: "What share of Seattle's days is rainy?",
    args: {
      ...seattle,
      aggregates: [{ function: "share", filters: [is("weather", "rainy")], as: "share" }],
    },
    status: "COMPLETE: 1 group",
    rows: [[0]],
    notes: ["value_not_found", "empty_aggregate"],
  },
  {
    ask: "How warm is seattle on average?",
    args: {
      ...weather,
      filters: [is("location", "seattle")],
      aggregates: [{ function: "avg", column: "temp_max", as: "mean" }],
    },
    status: "COMPLETE: 1 group",
    rows: [[null]],
    notes: ["value_not_found", "other_case", "empty_aggregate"],
    says: "Did you mean “Seattle”?",
  },
  {
    ask: "How many earthquakes were there in alaska?",
    args: { ...quakes, filters: [over("place", "contains", "alaska")], aggregates: [count] },
    status: "COMPLETE: 1 group",
    rows: [[0]],
    notes: ["other_case"],
    says: "313 more rows match",
  },
  {
    ask: "How many bird strikes were there in hawaii?",
    args: { ...strikes, filters: [is("Origin State", "hawaii")], aggregates: [count] },
    status: "COMPLETE: 1 group",
    rows: [[0]],
    notes: ["value_not_found", "other_case"],
    says: "Did you mean “Hawaii”?",
  },
  {
    ask: "How heavy are Gento penguins?",
    args: { ...penguins, filters: [is("Species", "Gento")], aggregates: [count] },
    status: "COMPLETE: 1 group",
    rows: [[0]],
    notes: ["value_not_found"],
    says: "Did you mean “Gentoo”?",
  },
];

/** Questions that need the later words of the grammar, or whose answer misleads without a note. */
const support = { table_id: "browser-compatibility/support" };
const ofFeature = (...columns: string[]) => [
  { table_id: "browser-compatibility/features", on: { feature: "feature" }, columns, as: "about" },
];

/** Columns of another table, found by its key. */
const LOOKED_UP: readonly OneCallQuestion[] = [
  {
    ask: "How many deprecated features do Chrome, Firefox and Safari support, or did they once?",
    args: {
      ...support,
      filters: [
        over("browser", "in", ["chrome", "firefox", "safari"]),
        is("supported", true),
        is("about.deprecated", true),
      ],
      lookups: ofFeature("deprecated"),
      group_by: ["browser"],
      aggregates: [{ function: "count_distinct", column: "feature", as: "n" }],
      order_by: most("n"),
    },
    status: "COMPLETE: 3 groups",
    rows: [
      ["chrome", 941],
      ["firefox", 900],
      ["safari", 792],
    ],
  },
  {
    ask: "In which category does Safari lack the most features of the standards track?",
    args: {
      ...support,
      filters: [is("browser", "safari"), is("supported", false), is("about.standard_track", true)],
      lookups: ofFeature("standard_track"),
      group_by: ["category"],
      aggregates: [{ function: "count_distinct", column: "feature", as: "n" }],
      order_by: most("n"),
      limit: 2,
    },
    status: expect.stringMatching(/^TOP 2 of \d+ groups$/),
    rows: [
      ["api", 2492],
      ["css", 544],
    ],
  },
  {
    ask: "In which year did Firefox gain the most features?",
    args: {
      ...support,
      filters: [is("browser", "firefox"), is("supported", true)],
      lookups: [
        {
          table_id: "browser-compatibility/releases",
          on: { browser: "browser", version: "version_added" },
          columns: ["release_date"],
          as: "release",
        },
      ],
      group_by: by("release.release_date", "year"),
      aggregates: [{ function: "count_distinct", column: "feature", as: "n" }],
      order_by: most("n"),
      limit: 1,
    },
    status: expect.stringMatching(/^TOP 1 of \d+ groups$/),
    rows: [["2004-01-01", 2426]],
  },
];

export const GRAMMAR_QUESTIONS: readonly OneCallQuestion[] = [
  ...RELATIONS,
  ...WINDOWS,
  ...FIRST_OF_EACH,
  ...ITEMS,
  ...DISTANCES,
  ...TIMES,
  ...BANDS,
  ...SPELLINGS,
  ...LOOKED_UP,
];
