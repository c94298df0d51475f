import type { Showcase } from "./showcase";
import { VEGA_SOURCE, vegaRecipe, vegaVersion } from "./vega-datasets";

const ORIGIN = { name: "FAA Wildlife Strike Database", url: "https://wildlife.faa.gov" };

const DESCRIPTION = `Ten thousand collisions of aircraft with birds and other wildlife in the United States from \
January 1990 to July 2002, as reported by pilots, airlines and airports to the Federal Aviation Administration.

## How it was collected

Reporting is voluntary. The FAA keeps the reports in its Wildlife Strike Database; the vega-datasets project took a \
part of it with 14 of its columns. The strikes are those at 50 airports in 29 states and of 46 operators: a selection, \
not the entire country.

## What to know before using it

- The column names are the source's own, with spaces, capitals and a dollar sign (\`Cost Total $\`). They are kept as \
they are; quote them.
- \`Speed IAS in knots\` is missing in 2,836 reports. 19 give a speed of 0.
- Costs are 0 where none was reported, so 0 does not mean "no cost": only 209 reports have a total above 0. \`Cost \
Total $\` is always the sum of \`Cost Other\` and \`Cost Repair\`. The highest is 7,043,545 dollars.
- \`Effect Amount of damage\` is the word None in 8,939 reports. In addition to Minor, Medium and Substantial, 14 \
reports have "C" and one has "B", which are not explained.
- Most species are unknown: "Unknown bird - small" (3,572), "Unknown bird - medium" (3,372).
- Reports increase from 463 in 1990 to 1,095 in 2001, partly because of better reporting.

## What it is good for

Cross tables of categories (phase of flight, time of day, size of the animal), skewed costs, and tools that must cope \
with awkward column names.`;

/** Bird strikes reported to the FAA, 1990 to 2002. */
export const birdStrikes: Showcase = {
  dataset: {
    slug: "bird-strikes",
    title: "Bird strikes on aircraft",
    summary:
      "10,000 collisions of aircraft with wildlife reported to the FAA between 1990 and 2002, with place, " +
      "phase of flight, damage and cost.",
    description: DESCRIPTION,
    publisher: { name: "US Federal Aviation Administration", url: "https://www.faa.gov" },
    license: "US government work",
    topics: ["aviation", "wildlife", "safety", "united states"],
    sources: [ORIGIN, VEGA_SOURCE],
    temporalCoverage: "1990-01-08/2002-07-25",
  },
  tables: [
    {
      slug: "strikes",
      name: "Strikes",
      description: "One row per reported strike, ordered by date.",
      columns: [
        {
          name: "Airport Name",
          type: "string",
          description: "Airport at or near which the strike happened, in capitals.",
        },
        { name: "Aircraft Make Model", type: "string", description: "Make and model of the aircraft, abbreviated." },
        {
          name: "Effect Amount of damage",
          type: "string",
          description: "None, Minor, Medium or Substantial. B and C also occur, unexplained.",
        },
        { name: "Flight Date", type: "date", description: "Day of the strike." },
        {
          name: "Aircraft Airline Operator",
          type: "string",
          description: "Operator of the aircraft; some names end with an asterisk.",
        },
        { name: "Origin State", type: "string", description: "State of the airport, spelt out." },
        {
          name: "Phase of flight",
          type: "string",
          description: "Parked, Taxi, Take-off run, Climb, Descent, Approach or Landing Roll.",
        },
        { name: "Wildlife Size", type: "string", description: "Small, Medium or Large." },
        { name: "Wildlife Species", type: "string", description: "Species, as far as known." },
        { name: "Time of day", type: "string", description: "Dawn, Day, Dusk or Night." },
        {
          name: "Cost Other",
          type: "int64",
          description: "Costs other than repair; 0 if none were reported.",
          unit: "USD",
        },
        { name: "Cost Repair", type: "int64", description: "Cost of repair; 0 if none was reported.", unit: "USD" },
        { name: "Cost Total $", type: "int64", description: "Sum of the two other costs.", unit: "USD" },
        {
          name: "Speed IAS in knots",
          type: "int64",
          description: "Indicated airspeed at the strike; null if not reported.",
          unit: "kn",
        },
      ],
      orderBy: ["Flight Date"],
      versions: [vegaVersion("birdstrikes.csv")],
    },
  ],
  recipe: vegaRecipe({
    origin: ORIGIN,
    file: "birdstrikes.csv",
    reader: { format: "csv" },
    steps: [
      { step: "parse", columns: ["Flight Date"], as: "date" },
      { step: "parse", columns: ["Cost Other", "Cost Repair", "Cost Total $", "Speed IAS in knots"], as: "int64" },
    ],
    checks: [
      { check: "row_count", min: 10_000, max: 10_000 },
      { check: "accepted_values", column: "Wildlife Size", values: ["Small", "Medium", "Large"] },
    ],
  }),
};
