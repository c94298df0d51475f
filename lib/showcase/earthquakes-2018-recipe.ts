import { vegaRecipe } from "./vega-datasets";

const LISTS = ["ids", "sources", "types"];
const WHOLE = ["tz", "sig", "felt", "nst"];
const FRACTIONS = ["longitude", "latitude", "depth", "mag", "cdi", "mmi", "dmin", "rms", "gap"];

const typed = (columns: readonly string[], type: string) => Object.fromEntries(columns.map((name) => [name, type]));
const asList = (column: string) => [column, { fn: "concat", args: ['["', { col: column }, '"]'] }];

/** The feed as GeoJSON: point and properties of each feature as columns. */
export const earthquakesRecipe = (origin: { name: string; url: string }) =>
  vegaRecipe({
    origin,
    file: "earthquakes.json",
    reader: {
      format: "json",
      options: {
        records: "/features",
        fields: {
          ...{ id: "/id", time: "/properties/time", updated: "/properties/updated", tz: "/properties/tz" },
          ...{ longitude: "/geometry/coordinates/0", latitude: "/geometry/coordinates/1" },
          ...{ depth: "/geometry/coordinates/2", mag: "/properties/mag", mag_type: "/properties/magType" },
          ...{ place: "/properties/place", title: "/properties/title", type: "/properties/type" },
          ...{ status: "/properties/status", tsunami: "/properties/tsunami", sig: "/properties/sig" },
          ...{ felt: "/properties/felt", cdi: "/properties/cdi", mmi: "/properties/mmi", alert: "/properties/alert" },
          ...{ nst: "/properties/nst", dmin: "/properties/dmin", rms: "/properties/rms", gap: "/properties/gap" },
          ...{ net: "/properties/net", code: "/properties/code", ids: "/properties/ids" },
          ...{ sources: "/properties/sources", types: "/properties/types", url: "/properties/url" },
          detail: "/properties/detail",
        },
      },
    },
    steps: [
      { step: "cast", columns: { ...typed(["time", "updated"], "string"), ...typed(WHOLE, "int32") } },
      { step: "cast", columns: typed(FRACTIONS, "float64") },
      { step: "parse", columns: ["time", "updated"], as: "timestamp", date: { epoch: "ms" } },
      { step: "derive", columns: { tsunami: { fn: "eq", args: [{ col: "tsunami" }, 1] } } },
      // text with a comma at both ends, ",ci,us,", as a list in JSON
      { step: "replace", columns: LISTS, find: "^,|,$", with: "", kind: "pattern" },
      { step: "replace", columns: LISTS, find: ",", with: '","' },
      { step: "derive", columns: Object.fromEntries(LISTS.map(asList)) },
      { step: "cast", columns: typed(LISTS, "list<string>") },
    ],
    checks: [
      { check: "row_count", min: 1_707, max: 1_707 },
      { check: "range", column: "latitude", min: -90, max: 90 },
      { check: "range", column: "longitude", min: -180, max: 180 },
    ],
  });
