import {
  birds,
  browsers,
  co2,
  languages,
  node,
  one,
  penguins,
  type Question,
  quakes,
  THAT,
  weather,
} from "./agent-question";

export const DATES: readonly Question[] = [
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

/** Lists that do not fit on one page. */
export const WHOLE_LISTS: readonly Question[] = [
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

/** Questions that need two tables together. */
export const JOINED: readonly Question[] = [
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

/** Misspelt words, and words that the data does not use. */
export const LOOSE_WORDS: readonly Question[] = [
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

export const NOWHERE: readonly Question[] = [
  one(
    "Who won the world chess championship in 1972?",
    { about: "chess championship", tell: ["winner"] },
    "not in the data",
    "winner", // of the nearest dataset: a media type is named after chess
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
