import type { Showcase } from "./showcase";
import { VEGA_SOURCE, vegaRecipe, vegaVersion } from "./vega-datasets";

const ORIGIN = { name: "Palmer Station Antarctica LTER", url: "https://pal.lternet.edu/" };

const DESCRIPTION = `Measurements of 344 penguins of three species on three islands of the Palmer Archipelago, \
Antarctica: beak, flipper, body mass and sex.

## How it was collected

Kristen Gorman and the Palmer Station Long Term Ecological Research Program measured the birds; Allison Horst \
popularised the data as a teaching dataset. The vega-datasets project distributes it as JSON. The dates of measurement \
and the birds' numbers are not included.

## What to know before using it

- \`Sex\` has a stray third value: one Gentoo penguin is recorded as \`.\`. It is kept as the source has it. Ten more \
are null, so a count by sex has four groups.
- Two birds, an Adelie and a Gentoo, were not measured at all: every measurement and the sex are null.
- Species and island are related: Chinstraps occur only on Dream, Gentoos only on Biscoe, Adelies on all three.
- Column names contain spaces and the unit in brackets, as in the source.
- There is no column that identifies a bird. The order is that of the source.

## What it is good for

Classification, scatter plots, regression within and across groups (Simpson's paradox included), and practice with \
nulls.`;

/** Palmer Archipelago penguins. */
export const palmerPenguins: Showcase = {
  dataset: {
    slug: "palmer-penguins",
    title: "Palmer Archipelago penguins",
    summary:
      "Beak, flipper, body mass and sex of 344 Adelie, Chinstrap and Gentoo penguins of the Palmer " +
      "Archipelago, Antarctica.",
    description: DESCRIPTION,
    publisher: { name: "Palmer Station Antarctica LTER", url: "https://pal.lternet.edu" },
    license: "CC0-1.0",
    topics: ["biology", "wildlife", "teaching"],
    sources: [
      ORIGIN,
      { name: "Allison Horst's penguins", url: "https://github.com/allisonhorst/palmerpenguins" },
      VEGA_SOURCE,
    ],
    temporalCoverage: null,
  },
  tables: [
    {
      slug: "penguins",
      name: "Penguins",
      description: "One row per bird, in the source's order.",
      columns: [
        { name: "Species", type: "string", description: "Adelie, Chinstrap or Gentoo." },
        { name: "Island", type: "string", description: "Island where the bird was found: Biscoe, Dream or Torgersen." },
        {
          name: "Beak Length (mm)",
          type: "float64",
          description: "Length of the upper ridge of the beak; null for two birds.",
          unit: "mm",
        },
        { name: "Beak Depth (mm)", type: "float64", description: "Depth of the beak; null for two birds.", unit: "mm" },
        {
          name: "Flipper Length (mm)",
          type: "int64",
          description: "Length of the flipper; null for two birds.",
          unit: "mm",
        },
        { name: "Body Mass (g)", type: "int64", description: "Body mass; null for two birds.", unit: "g" },
        { name: "Sex", type: "string", description: "MALE, FEMALE, null if unknown, and once a stray full stop." },
      ],
      orderBy: [],
      versions: [vegaVersion("penguins.json")],
    },
  ],
  recipe: vegaRecipe({
    origin: ORIGIN,
    file: "penguins.json",
    reader: { format: "json" },
    steps: [
      {
        step: "cast",
        columns: {
          ...{ "Beak Length (mm)": "float64", "Beak Depth (mm)": "float64" },
          ...{ "Flipper Length (mm)": "int64", "Body Mass (g)": "int64" },
        },
      },
    ],
    checks: [
      { check: "row_count", min: 344, max: 344 },
      { check: "accepted_values", column: "Species", values: ["Adelie", "Chinstrap", "Gentoo"] },
    ],
  }),
};
