/** What a person could ask an agent, with the answer as counted in the sources' own files, without this service. */
export interface Question {
  ask: string;
  /** What an agent would search for. */
  search: string;
  columns?: readonly string[];
  filters?: readonly Filter[];
  /** A function, and its column where it takes one. */
  compute?: readonly [string, string?];
  groupBy?: string;
  /** A column, or `value` for what was computed; the last first. */
  descending?: string;
  ascending?: string;
  /** The first row's values. */
  answer: readonly unknown[];
}

type Filter = readonly [column: string, operator: string, value?: unknown];

const COUNT = ["count"] as const;
const birds = "bird strikes";
const cost = "Cost Total $";
const penguins = "penguins";
const weather = "daily weather";
const co2 = "Mauna Loa CO2";
const zip = "ZIP codes";
const quakes = "earthquakes";
const mime = "MIME types";

export const QUESTIONS: readonly Question[] = [
  {
    ask: "How many bird strikes in 1995 cost over $100,000?",
    search: birds,
    filters: [
      ["Flight Date", "between", ["1995-01-01", "1995-12-31"]],
      [cost, "gt", 100_000],
    ],
    compute: COUNT,
    answer: [5],
  },
  { ask: "What did all bird strikes cost together?", search: birds, compute: ["sum", cost], answer: [40_545_276] },
  { ask: "What did the costliest bird strike cost?", search: birds, compute: ["max", cost], answer: [7_043_545] },
  {
    ask: "Which kind of bird is struck most?",
    search: birds,
    groupBy: "Wildlife Species",
    compute: COUNT,
    descending: "value",
    answer: ["Unknown bird - small", 3572],
  },
  { ask: "How many bird strikes happened in Texas?", search: birds, filters: [["Origin State", "eq", "Texas"]], compute: COUNT, answer: [1495] },
  { ask: "How many bird strikes happened at night?", search: birds, filters: [["Time of day", "eq", "Night"]], compute: COUNT, answer: [3363] },
  {
    ask: "In which phase of flight do most strikes happen?",
    search: birds,
    groupBy: "Phase of flight",
    compute: COUNT,
    descending: "value",
    answer: ["Approach", 4619],
  },
  { ask: "How fast was the fastest aircraft that was struck?", search: birds, compute: ["max", "Speed IAS in knots"], answer: [350] },
  { ask: "Of how many strikes is the speed not known?", search: birds, filters: [["Speed IAS in knots", "is_null"]], compute: COUNT, answer: [2836] },
  { ask: "How many penguins were measured?", search: penguins, compute: COUNT, answer: [344] },
  { ask: "How many of them are Gentoo?", search: penguins, filters: [["Species", "eq", "Gentoo"]], compute: COUNT, answer: [124] },
  { ask: "How heavy is the heaviest penguin?", search: penguins, compute: ["max", "Body Mass (g)"], answer: [6300] },
  {
    ask: "What is the median mass of Chinstraps?",
    search: penguins,
    filters: [["Species", "eq", "Chinstrap"]],
    compute: ["median", "Body Mass (g)"],
    answer: [3700],
  },
  {
    ask: "How many females were measured on Dream?",
    search: penguins,
    filters: [
      ["Island", "eq", "Dream"],
      ["Sex", "eq", "FEMALE"],
    ],
    compute: COUNT,
    answer: [61],
  },
  { ask: "Which island has the most penguins?", search: penguins, groupBy: "Island", compute: COUNT, descending: "value", answer: ["Biscoe", 168] },
  {
    ask: "When did a monthly mean of CO2 first pass 400?",
    search: co2,
    columns: ["Date"],
    filters: [["CO2", "gt", 400]],
    ascending: "Date",
    answer: ["2014-04-01"],
  },
  { ask: "What is the highest monthly mean of CO2, and when?", search: co2, columns: ["Date", "CO2"], descending: "CO2", answer: ["2020-04-01", 416.18] },
  { ask: "What was CO2 in May 1970?", search: co2, columns: ["CO2"], filters: [["Date", "eq", "1970-05-01"]], answer: [328.08] },
  {
    ask: "How many days did it rain in Seattle?",
    search: weather,
    filters: [
      ["location", "eq", "Seattle"],
      ["weather", "eq", "rain"],
    ],
    compute: COUNT,
    answer: [641],
  },
  {
    ask: "What was the hottest day, and where?",
    search: weather,
    columns: ["date", "location", "temp_max"],
    descending: "temp_max",
    answer: ["2013-07-18", "New York", 37.8],
  },
  {
    ask: "What was the coldest night, and where?",
    search: weather,
    columns: ["date", "location", "temp_min"],
    ascending: "temp_min",
    answer: ["2014-01-04", "New York", -16],
  },
  {
    ask: "Which day was New York's wettest?",
    search: weather,
    columns: ["date"],
    filters: [["location", "eq", "New York"]],
    descending: "precipitation",
    answer: ["2014-04-30"],
  },
  { ask: "How many ZIP codes has California?", search: zip, filters: [["state", "eq", "CA"]], compute: COUNT, answer: [2666] },
  { ask: "Where is 90210?", search: zip, columns: ["city"], filters: [["zip_code", "eq", "90210"]], answer: ["Beverly Hills"] },
  { ask: "Which state has the most ZIP codes?", search: zip, groupBy: "state", compute: COUNT, descending: "value", answer: ["TX", 2670] },
  {
    ask: "How many counties of Washington have ZIP codes?",
    search: zip,
    filters: [["state", "eq", "WA"]],
    compute: ["count_distinct", "county"],
    answer: [39],
  },
  {
    ask: "Where was the strongest earthquake of that week?",
    search: quakes,
    columns: ["place", "mag"],
    filters: [["mag", "is_not_null"]],
    descending: "mag",
    answer: ["22km NNE of Hualian, Taiwan", 6.4],
  },
  { ask: "How many earthquakes reached magnitude 5?", search: quakes, filters: [["mag", "gte", 5]], compute: COUNT, answer: [39] },
  { ask: "How many events were quarry blasts?", search: quakes, filters: [["type", "eq", "quarry blast"]], compute: COUNT, answer: [13] },
  { ask: "How many video media types are there?", search: mime, filters: [["top_level_type", "eq", "video"]], compute: COUNT, answer: [110] },
];
