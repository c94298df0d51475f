import type { Showcase } from "./showcase";
import { VEGA_SOURCE, vegaRecipe, vegaVersion } from "./vega-datasets";

const ORIGIN = { name: "GeoNames postal codes", url: "https://download.geonames.org/export/zip/" };

const DESCRIPTION = `42,049 postal codes of the United States, Puerto Rico and the island territories with their city, \
county, state and position.

## How it was collected

GeoNames collects postal codes worldwide from public sources. This is a snapshot that the vega-datasets project has \
distributed since 2017. Codes, counties and positions have changed since then; take the current file of GeoNames where \
that matters.

## What to know before using it

- A ZIP code is **text**: 3,256 of them begin with 0 (\`00501\` is Holtsville, New York).
- Every code occurs once, and no value is missing. Cities and counties are in ASCII.
- \`state\` has 59 values: the 50 states, DC, the territories AS, GU, MP, PR and VI, and the associated states FM, MH \
and PW.
- Positions are points, not areas. 1,193 positions are shared by several codes.
- Some positions are wrong or coarse: Pago Pago is placed at 7.2° south (it is near 14.3° south), and the four states \
of Micronesia share one point.
- Longitudes are negative except in the western Pacific, up to 166.4° east.

## What it is good for

Joining addresses to places, maps of the first digits, and testing that leading zeros are preserved.

## Licence

CC-BY-4.0: credit GeoNames when you use it.`;

/** US ZIP codes with coordinates. */
export const usZipCodes: Showcase = {
  dataset: {
    slug: "us-zip-codes",
    title: "US ZIP codes",
    summary:
      "42,049 postal codes of the United States and its territories with city, county, state, latitude and longitude.",
    description: DESCRIPTION,
    publisher: { name: "GeoNames", url: "https://www.geonames.org" },
    license: "CC-BY-4.0",
    topics: ["geography", "reference", "united states"],
    sources: [ORIGIN, VEGA_SOURCE],
    temporalCoverage: null,
  },
  tables: [
    {
      slug: "zip-codes",
      name: "ZIP codes",
      description: "One row per code, in the order of the codes.",
      columns: [
        { name: "zip_code", type: "string", description: "Five digits as text, leading zeros included; unique." },
        {
          name: "latitude",
          type: "float64",
          description: "Latitude of a point for the code, WGS84; negative to the south.",
          unit: "deg",
        },
        {
          name: "longitude",
          type: "float64",
          description: "Longitude of a point for the code, WGS84; negative to the west.",
          unit: "deg",
        },
        { name: "city", type: "string", description: "Name of the place that the post office serves." },
        { name: "state", type: "string", description: "Two-letter abbreviation of the state or territory." },
        { name: "county", type: "string", description: "County or equivalent, without the word county." },
      ],
      orderBy: ["zip_code"],
      primaryKey: ["zip_code"],
      versions: [vegaVersion("zipcodes.csv")],
    },
  ],
  recipe: vegaRecipe({
    origin: ORIGIN,
    file: "zipcodes.csv",
    reader: { format: "csv" },
    steps: [{ step: "parse", columns: ["latitude", "longitude"], as: "float64" }],
    checks: [
      { check: "row_count", min: 42_049, max: 42_049 },
      { check: "pattern", column: "zip_code", pattern: "^[0-9]{5}$" },
    ],
  }),
};
