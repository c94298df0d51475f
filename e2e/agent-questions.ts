/** What a person asks of one table, in a person's words: no name, value or type of the data but what they would say. */
export interface Asked {
  /** What an agent would search for. */
  about: string;
  /** Which table, where the dataset has several. */
  table?: string;
  where?: readonly Condition[];
  /** The things whose values are wanted. */
  tell?: readonly string[];
  /** How many there are, or a figure over a thing. */
  figure?: "how many" | readonly [Figure, thing: string];
  per?: string;
  /** The order: by a thing, or by the figure. */
  most?: string | "figure";
  least?: string | "figure";
  /** Only groups whose figure is more than this. */
  moreThan?: number;
  /** The things are columns, spelt as the person thinks: the schema is not read, and what a refusal says is done. */
  dictated?: true;
  /** How many rows are wanted; the first one where nothing is said. */
  rows?: number | "all";
}

type Figure = "sum" | "average" | "median" | "largest" | "smallest" | "different";
export type Relation =
  | "is"
  | "is one of"
  | "over"
  | "at least"
  | "under"
  | "at most"
  | "between"
  | "in the year"
  | "on the day"
  | "contains"
  | "starts with"
  | "is unknown";
export type Condition = readonly [thing: string, relation: Relation, value?: unknown];

const all = (...conditions: Condition[]): readonly Condition[] => conditions;

/** `that` in a condition of a later step is the first value that the step before found. */
export const THAT = "that";

export interface Question {
  ask: string;
  steps: readonly Asked[];
  /**
   * The values of the rows, in turn; `not in the data` with what is missing. Counted in the sources' own files, without
   * this service.
   */
  answer: readonly unknown[];
}

const one = (ask: string, asked: Asked, ...answer: unknown[]): Question => ({ ask, steps: [asked], answer });

const birds = { about: "bird strikes" };
const penguins = { about: "penguins" };
const weather = { about: "daily weather" };
const co2 = { about: "Mauna Loa CO2" };
const zip = { about: "ZIP codes" };
const quakes = { about: "earthquakes" };
const node = { about: "Node.js releases" };
const browsers = { about: "browser compatibility" };
const languages = { about: "language subtags" };

const TOTALS: readonly Question[] = [
  one(
    "How many bird strikes in 1995 cost over $100,000?",
    {
      ...birds,
      where: [
        ["flight date", "in the year", 1995],
        ["total cost", "over", 100_000],
      ],
      figure: "how many",
    },
    5,
  ),
  one("What did all bird strikes cost together?", { ...birds, figure: ["sum", "total cost"] }, 40_545_276),
  one("What did the costliest bird strike cost?", { ...birds, figure: ["largest", "total cost"] }, 7_043_545),
  one(
    "How many bird strikes happened in Texas?",
    { ...birds, where: [["state", "is", "Texas"]], figure: "how many" },
    1495,
  ),
  one(
    "How many bird strikes happened at night?",
    { ...birds, where: [["time of day", "is", "night"]], figure: "how many" },
    3363,
  ),
  one("How fast was the fastest aircraft that was struck?", { ...birds, figure: ["largest", "speed"] }, 350),
  one(
    "Of how many strikes is the speed not known?",
    { ...birds, where: [["speed", "is unknown"]], figure: "how many" },
    2836,
  ),
  one("How many penguins were measured?", { ...penguins, figure: "how many" }, 344),
  one("How many of them are gentoo?", { ...penguins, where: [["species", "is", "gentoo"]], figure: "how many" }, 124),
  one("How heavy is the heaviest penguin?", { ...penguins, figure: ["largest", "body mass"] }, 6300),
  one(
    "What is the median mass of chinstraps?",
    { ...penguins, where: [["species", "is", "chinstrap"]], figure: ["median", "mass"] },
    3700,
  ),
  one(
    "How many females were measured on Dream?",
    {
      ...penguins,
      where: all(["island", "is", "dream"], ["sex", "is", "female"]),
      figure: "how many",
    },
    61,
  ),
  one(
    "How many days did it rain in Seattle?",
    {
      ...weather,
      where: all(["location", "is", "Seattle"], ["weather", "is", "rain"]),
      figure: "how many",
    },
    641,
  ),
  one("How many ZIP codes has California (CA)?", { ...zip, where: [["state", "is", "CA"]], figure: "how many" }, 2666),
  one(
    "How many counties of Washington (WA) have ZIP codes?",
    { ...zip, where: [["state", "is", "WA"]], figure: ["different", "county"] },
    39,
  ),
  one(
    "How many earthquakes reached magnitude 5?",
    { ...quakes, where: [["magnitude", "at least", 5]], figure: "how many" },
    39,
  ),
  one(
    "How many events were quarry blasts?",
    { ...quakes, where: [["kind of event", "is", "quarry blast"]], figure: "how many" },
    13,
  ),
  one(
    "How many video media types are there?",
    { about: "MIME types", where: [["top level type", "is", "video"]], figure: "how many" },
    110,
  ),
  one(
    "How many flights of 2001 left O'Hare (ORD)?",
    { about: "flights 2001", where: [["origin", "is", "ORD"]], figure: "how many" },
    166_341,
  ),
];

const RANKED: readonly Question[] = [
  one(
    "Which kind of bird is struck most?",
    { ...birds, per: "wildlife species", figure: "how many", most: "figure" },
    "Unknown bird - small",
    3572,
  ),
  one(
    "In which phase of flight do most strikes happen?",
    { ...birds, per: "phase of flight", figure: "how many", most: "figure" },
    "Approach",
    4619,
  ),
  one(
    "Which island has the most penguins?",
    { ...penguins, per: "island", figure: "how many", most: "figure" },
    "Biscoe",
    168,
  ),
  one(
    "What is the highest monthly mean of CO2, and when?",
    { ...co2, tell: ["date", "CO2"], most: "CO2" },
    "2020-04-01",
    416.18,
  ),
  one(
    "What was the hottest day, and where?",
    { ...weather, tell: ["date", "location", "highest temperature"], most: "highest temperature" },
    "2013-07-18",
    "New York",
    37.8,
  ),
  one(
    "What was the coldest night, and where?",
    { ...weather, tell: ["date", "location", "lowest temperature"], least: "lowest temperature" },
    "2014-01-04",
    "New York",
    -16,
  ),
  one(
    "Which day was New York's wettest?",
    { ...weather, where: [["location", "is", "New York"]], tell: ["date"], most: "precipitation" },
    "2014-04-30",
  ),
  one("Where is 90210?", { ...zip, where: [["zip code", "is", "90210"]], tell: ["city"] }, "Beverly Hills"),
  one("Which state has the most ZIP codes?", { ...zip, per: "state", figure: "how many", most: "figure" }, "TX", 2670),
  one(
    "Where was the strongest earthquake of that week?",
    { ...quakes, tell: ["place", "magnitude"], most: "magnitude" },
    "22km NNE of Hualian, Taiwan",
    6.4,
  ),
];

/** Groups of which only those above a figure are wanted: the engine has no HAVING, so that they are asked in order. */
const ABOVE: readonly Question[] = [
  one(
    "Which states had more than 550 bird strikes?",
    { ...birds, per: "state", figure: "how many", most: "figure", moreThan: 550, rows: "all" },
    ["Texas", 1495],
    ["California", 890],
    ["Louisiana", 618],
    ["Tennessee", 569],
  ),
  one(
    "Which states have more than 2,000 ZIP codes?",
    { ...zip, per: "state", figure: "how many", most: "figure", moreThan: 2000, rows: "all" },
    ["TX", 2670],
    ["CA", 2666],
    ["NY", 2232],
    ["PA", 2222],
  ),
  one(
    "Which engines drive more than 300 browser releases?",
    { ...browsers, table: "releases", per: "engine", figure: "how many", most: "figure", moreThan: 300, rows: "all" },
    ["Blink", 774],
    ["WebKit", 340],
    ["Gecko", 313],
  ),
  one(
    "Which three species cost most together?",
    { ...birds, per: "wildlife species", figure: ["sum", "total cost"], most: "figure", rows: 3 },
    ["Canada goose", 15_389_869],
    ["Unknown bird - large", 10_359_212],
    ["Unknown bird - medium", 4_209_607],
  ),
];

const DATES: readonly Question[] = [
  one(
    "When did a monthly mean of CO2 first pass 400?",
    { ...co2, where: [["CO2", "over", 400]], tell: ["date"], least: "date" },
    "2014-04-01",
  ),
  one("What was CO2 in May 1970?", { ...co2, where: [["date", "is", "1970-05-01"]], tell: ["CO2"] }, 328.08),
  one(
    "How many earthquakes were there on 6 February 2018?",
    { ...quakes, where: [["time", "on the day", "2018-02-06"]], figure: "how many" },
    213,
  ),
  one(
    "Which was the last one, and when?",
    { ...quakes, tell: ["place", "time"], most: "time" },
    "4km W of Castaic, CA",
    "2018-02-07T01:26:13.840000Z",
  ),
  one(
    "How many Node.js versions came out in 2020?",
    { ...node, where: [["release date", "in the year", 2020]], figure: "how many" },
    42,
  ),
  one(
    "Which was the first security release of 2026?",
    {
      ...node,
      where: [
        ["release date", "in the year", 2026],
        ["security", "is", true],
      ],
      tell: ["version", "release date"],
      least: "release date",
      rows: 1,
    },
    "20.20.0",
    "2026-01-12",
  ),
  one(
    "How many flights departed on 1 March 2001?",
    { about: "flights 2001", where: [["date", "on the day", "2001-03-01"]], figure: "how many" },
    17_005,
  ),
];

/** What a page has no room for. */
const WHOLE_LISTS: readonly Question[] = [
  one(
    "List the identifiers of all licences that the OSI has approved.",
    { about: "SPDX licenses", where: [["OSI approved", "is", true]], tell: ["license id"], rows: "all" },
    149,
    "0BSD",
    "wxWindows",
  ),
  one(
    "List every long-term support release of Node.js with its code name.",
    { ...node, where: [["long-term support", "is", true]], tell: ["version", "lts name"], rows: "all" },
    110,
    "4.2.0",
    "Argon",
    "26.13.0",
    "Lithium",
  ),
];

/** What two tables know together. */
const JOINED: readonly Question[] = [
  {
    ask: "When did the first Chrome come out that knows the CSS property aspect-ratio?",
    steps: [
      {
        ...browsers,
        table: "support",
        where: [
          ["feature", "is", "css.properties.aspect-ratio"],
          ["browser", "is", "chrome"],
        ],
        tell: ["version added"],
      },
      {
        ...browsers,
        table: "releases",
        where: [
          ["browser", "is", "chrome"],
          ["version", "is", THAT],
        ],
        tell: ["release date"],
      },
    ],
    answer: ["2021-01-19"],
  },
  {
    ask: "How many strikes befell the species whose strikes cost most together?",
    steps: [
      { ...birds, per: "wildlife species", figure: ["sum", "total cost"], most: "figure" },
      { ...birds, where: [["wildlife species", "is", THAT]], figure: "how many" },
    ],
    answer: [190],
  },
  {
    ask: "What is the macrolanguage of Yue Chinese called?",
    steps: [
      {
        ...languages,
        where: [
          ["name", "contains", "Yue Chinese"],
          ["kind of entry", "is", "language"],
        ],
        tell: ["macrolanguage"],
      },
      {
        ...languages,
        where: [
          ["kind of entry", "is", "language"],
          ["subtag", "is", THAT],
        ],
        tell: ["name"],
      },
    ],
    answer: ["Chinese"],
  },
];

/** Words that are spelt wrongly, or that the data does not use. */
const LOOSE_WORDS: readonly Question[] = [
  one(
    "Take the max of Body Mass (gr) for Speceis Gentoo.",
    { ...penguins, dictated: true, where: [["Speceis", "is", "Gentoo"]], figure: ["largest", "Body Mass (gr)"] },
    6300,
  ),
  one(
    "Give me tempmax and dat of the hottest day, by temp_mx.",
    { ...weather, dictated: true, tell: ["dat", "tempmax"], most: "temp_mx" },
    "2013-07-18",
    37.8,
  ),
  one(
    "How many pengiuns on bisco?",
    { about: "pengiuns", where: [["island", "is", "bisco"]], figure: "how many" },
    168,
  ),
  one(
    "Strongest windspeed in new york?",
    { about: "wether seattle", where: [["location", "is", "new york"]], figure: ["largest", "wind speed"] },
    16.2,
  ),
  one("How long is the longest bill?", { ...penguins, figure: ["largest", "length of the beak"] }, 59.6),
];

const NOWHERE: readonly Question[] = [
  one(
    "Who won the world chess championship in 1972?",
    { about: "chess championship", tell: ["winner"] },
    "not in the data",
    "chess championship",
  ),
  one(
    "How many bird strikes were there in 2010?",
    { ...birds, where: [["flight date", "in the year", 2010]], figure: "how many" },
    "not in the data",
    "1990-01-08 to 2002-07-25",
  ),
  one(
    "What is the wingspan of a penguin?",
    { ...penguins, figure: ["average", "wingspan"] },
    "not in the data",
    "wingspan",
  ),
  one(
    "How many emperor penguins are there?",
    { ...penguins, where: [["species", "is", "emperor"]], figure: "how many" },
    "not in the data",
    "emperor",
  ),
];

export const QUESTIONS: readonly Question[] = [
  ...TOTALS,
  ...RANKED,
  ...ABOVE,
  ...DATES,
  ...WHOLE_LISTS,
  ...JOINED,
  ...LOOSE_WORDS,
  ...NOWHERE,
];
