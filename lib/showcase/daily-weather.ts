import type { Showcase } from "./showcase";
import { VEGA_SOURCE, vegaRecipe, vegaVersion } from "./vega-datasets";

const ORIGIN = { name: "NOAA Climate Data Online", url: "https://www.ncei.noaa.gov/cdo-web/" };

const DESCRIPTION = `Daily weather in Seattle and New York for the four years 2012 to 2015: precipitation, highest and \
lowest temperature, wind, and a word describing the day.

## How it was collected

The figures are daily summaries of one NOAA station in each city. The vega-datasets project divided NOAA's tenths into \
whole units and derived the word for the day from NOAA's weather codes. There is one row per day and city, 1,461 for \
each city, and no value is missing.

## What to know before using it

- \`wind\` is in **metres per second**. The package's own catalogue says kilometres per hour, but its script divides \
NOAA's tenths of a metre per second by ten, and a mean of 3.2 in Seattle is plausible only in that unit.
- \`weather\` is derived: a day is "snow" if there was any, otherwise "rain", otherwise "drizzle", otherwise "fog", \
otherwise "sun". "Sun" therefore means that nothing else was reported. On 92 days the word is rain although no \
precipitation was measured.
- According to the package, the data are meant for teaching. Use the original data for climatology.
- Temperatures range from −16.0 to 37.8 °C, daily precipitation up to 118.9 mm, all in New York.

## What it is good for

Comparing two cities, seasonal patterns, grouping by month, and charts with a categorical colour.`;

/** Daily weather of Seattle and New York, 2012 to 2015. */
export const dailyWeather: Showcase = {
  dataset: {
    slug: "daily-weather",
    title: "Daily weather, Seattle and New York",
    summary:
      "Precipitation, temperatures, wind and kind of weather for every day of 2012 to 2015 in Seattle and New York.",
    description: DESCRIPTION,
    publisher: { name: "NOAA National Centers for Environmental Information", url: "https://www.ncei.noaa.gov" },
    license: "US government work",
    topics: ["weather", "climate", "time series", "united states"],
    sources: [ORIGIN, VEGA_SOURCE],
    temporalCoverage: "2012-01-01/2015-12-31",
  },
  tables: [
    {
      slug: "days",
      name: "Days",
      description: "One row per day and city, ordered by day, then city.",
      columns: [
        { name: "location", type: "string", description: "Seattle or New York." },
        { name: "date", type: "date", description: "Day of the observations." },
        { name: "precipitation", type: "float64", description: "Precipitation of the day.", unit: "mm" },
        { name: "temp_max", type: "float64", description: "Highest temperature of the day.", unit: "Cel" },
        { name: "temp_min", type: "float64", description: "Lowest temperature of the day.", unit: "Cel" },
        { name: "wind", type: "float64", description: "Average wind speed of the day.", unit: "m/s" },
        {
          name: "weather",
          type: "string",
          description: "Word for the day: drizzle, fog, rain, snow or sun, derived from NOAA's weather codes.",
        },
      ],
      orderBy: ["date", "location"],
      primaryKey: ["date", "location"],
      versions: [vegaVersion("weather.csv")],
    },
  ],
  recipe: vegaRecipe({
    origin: ORIGIN,
    file: "weather.csv",
    reader: { format: "csv" },
    steps: [
      { step: "parse", columns: ["date"], as: "date" },
      { step: "parse", columns: ["precipitation", "temp_max", "temp_min", "wind"], as: "float64" },
    ],
    checks: [
      { check: "row_count", min: 2_922, max: 2_922 },
      { check: "accepted_values", column: "weather", values: ["drizzle", "fog", "rain", "snow", "sun"] },
    ],
  }),
};
