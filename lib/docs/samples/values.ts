import { curlSample } from "./query-sample";

export const EXACT = curlSample({
  id: "exact-digits",
  label: "Exact digits",
  dataset: "mauna-loa-co2",
  body: { columns: ["Date", "CO2"], filters: [{ column: "CO2", operator: "eq", value: 315.7 }] },
  output: `{ …, "rows": [ { "Date": "1958-03-01", "CO2": 315.70 }, … ], … }`,
});

export const AS_TEXT = curlSample({
  id: "numbers-as-text",
  label: "Wide numbers as text",
  dataset: "us-flights-2001",
  body: { columns: [], aggregates: [{ function: "sum", column: "distance", as: "miles" }], int64: "string" },
  output: `{ …, "columns": [{ "name": "miles", "type": "decimal(38,0)" }], "rows": [{ "miles": "2194861208" }], … }`,
});
