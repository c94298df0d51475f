import type { Showcase } from "./showcase";
import { VEGA_SOURCE, vegaRecipe, vegaVersion } from "./vega-datasets";

const ORIGIN = {
  name: "Scripps primary Mauna Loa CO2 record",
  url: "https://scrippsco2.ucsd.edu/data/atmospheric_co2/primary_mlo_co2_record",
};

const DESCRIPTION = `The Keeling curve: the monthly concentration of carbon dioxide in the air at Mauna Loa, Hawaii, \
from March 1958 to April 2020. It is the longest continuous record of its kind.

## How it was collected

The Scripps CO2 Program measures the air at the Mauna Loa Observatory, 3,400 metres above sea level, and reports \
monthly means in parts per million of dry air by moles, on its 2012 manometric scale, adjusted to 24:00 hours on the \
15th of each month. The vega-datasets project kept three columns and the months with valid data.

## What to know before using it

- Five months are absent, not null: June and October 1958, and February to April 1964.
- \`Date\` is the first day of the month and stands for the entire month.
- \`adjusted CO2\` has the seasonal cycle removed by a four-harmonic fit with linear gain. Compare it month by month, \
and \`CO2\` year by year.
- Both have two decimals in the source and are stored as decimals, so nothing is rounded.
- The range is 313.21 to 416.18 ppm; the maximum is the last month, April 2020.

## What it is good for

Trend and season in one clear time series.

## Licence

CC-BY-4.0: credit the Scripps CO2 Program when you use it.`;

/** Monthly CO2 concentration at Mauna Loa, 1958 to 2020. */
export const maunaLoaCo2: Showcase = {
  dataset: {
    slug: "mauna-loa-co2",
    title: "Mauna Loa CO2",
    summary:
      "Monthly concentration of carbon dioxide in the air at Mauna Loa, Hawaii, 1958 to 2020, measured and " +
      "seasonally adjusted.",
    description: DESCRIPTION,
    publisher: { name: "Scripps CO2 Program", url: "https://scrippsco2.ucsd.edu" },
    license: "CC-BY-4.0",
    topics: ["climate", "atmosphere", "time series"],
    sources: [ORIGIN, VEGA_SOURCE],
    temporalCoverage: "1958-03/2020-04",
  },
  tables: [
    {
      slug: "monthly",
      name: "Monthly means",
      description: "One row per month with valid data, ordered by month.",
      columns: [
        { name: "Date", type: "date", description: "First day of the month that the mean stands for." },
        {
          name: "CO2",
          type: "decimal(5,2)",
          description: "Monthly mean mole fraction of carbon dioxide in dry air, on the 2012 Scripps scale.",
          unit: "ppm",
        },
        {
          name: "adjusted CO2",
          type: "decimal(5,2)",
          description: "The same with the seasonal cycle removed.",
          unit: "ppm",
        },
      ],
      orderBy: ["Date"],
      primaryKey: ["Date"],
      versions: [vegaVersion("co2-concentration.csv")],
    },
  ],
  recipe: vegaRecipe({
    origin: ORIGIN,
    file: "co2-concentration.csv",
    reader: { format: "csv" },
    steps: [
      { step: "parse", columns: ["Date"], as: "date" },
      { step: "parse", columns: ["CO2", "adjusted CO2"], as: "decimal(5,2)" },
    ],
    checks: [
      { check: "row_count", min: 741, max: 741 },
      { check: "range", column: "CO2", min: 300, max: 450 },
    ],
  }),
};
