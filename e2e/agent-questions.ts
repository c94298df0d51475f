import { all, birds, browsers, co2, one, penguins, type Question, quakes, weather, zip } from "./agent-question";
import { DATES, JOINED, LOOSE_WORDS, NOWHERE, WHOLE_LISTS } from "./agent-questions-of-lists";

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

/** Questions for groups above a figure. The engine has no HAVING, so groups are requested in order. */
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
