import { curlSample } from "./query-sample";

export const HAVING = curlSample({
  id: "having",
  label: "Airports with 100,000 flights or more, and how many were late",
  dataset: "us-flights-2001",
  body: {
    columns: [],
    group_by: ["origin"],
    aggregates: [
      { function: "count", as: "flights" },
      { function: "share", filters: [{ column: "delay", operator: "gt", value: 15 }], as: "late" },
      { function: "quantile", column: "delay", at: 0.9, as: "delay_p90" },
    ],
    having: [{ column: "flights", operator: "gte", value: 100_000 }],
    order_by: [{ column: "late", direction: "desc" }],
    total: true,
  },
  output: `{
  …,
  "rows": [
    { "origin": "ORD", "flights": 166341, "late": 0.24695655310476672, "delay_p90": 49.0 },
    …
  ],
  "execution": { "returned_rows": 4, …, "truncated": false, "total_rows": 4 },
  …
}`,
});

export const PATENTS = curlSample({
  id: "search",
  label: "How many licences mention patents",
  dataset: "spdx-licenses",
  body: { columns: ["license_id"], search: { text: "patent" }, limit: 1, total: true },
  output: `{ …, "execution": { "returned_rows": 1, …, "truncated": true, "total_rows": 214 }, … }`,
});

export const LICENCE_TEXT = curlSample({
  id: "cell",
  label: "The text of a licence, from its beginning",
  dataset: "spdx-licenses",
  body: {
    columns: [],
    filters: [{ column: "license_id", operator: "eq", value: "GPL-3.0-only" }],
    cell: { column: "license_text" },
  },
  output: `{
  …,
  "rows": [ { "license_text": "GNU GENERAL PUBLIC LICENSE… } ],
  "execution": { …, "cell": { "chars": 34508, "offset": 0, "next_offset": null } },
  …
}`,
});
