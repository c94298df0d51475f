import { shellWord } from "@/lib/describe/snippet-text";
import { curlQuery } from "@/lib/describe/snippets";
import { curlSample, javascriptSample, pythonSample } from "./query-sample";
import { profileAddress, queryAddress, type Sample } from "./sample";

const FILTERED = {
  id: "filters",
  label: "Heavy penguins of two islands",
  dataset: "palmer-penguins",
  body: {
    columns: ["Species", "Island", "Body Mass (g)"],
    filters: [
      { column: "Island", operator: "in", value: ["Biscoe", "Dream"] },
      { column: "Body Mass (g)", operator: "gte", value: 6000 },
    ],
    order_by: [{ column: "Body Mass (g)", direction: "desc" }],
  },
} as const;

const FILTERED_ROWS = `{"Species":"Gentoo","Island":"Biscoe","Body Mass (g)":6300}
{"Species":"Gentoo","Island":"Biscoe","Body Mass (g)":6050}
{"Species":"Gentoo","Island":"Biscoe","Body Mass (g)":6000}
{"Species":"Gentoo","Island":"Biscoe","Body Mass (g)":6000}`;

const GROUPED = {
  id: "groups",
  label: "The three busiest airports and their mean delay",
  dataset: "us-flights-2001",
  body: {
    columns: [],
    group_by: ["origin"],
    aggregates: [
      { function: "count", as: "flights" },
      { function: "avg", column: "delay", as: "mean_delay" },
    ],
    order_by: [{ column: "flights", direction: "desc" }],
    limit: 3,
  },
} as const;

const GROUPED_ROWS = `{"origin":"ORD","flights":166341,"mean_delay":9.27365472132547}
{"origin":"DFW","flights":157162,"mean_delay":7.700958246904468}
{"origin":"ATL","flights":124711,"mean_delay":8.828138656574}`;

export const QUERY_SAMPLES: readonly Sample[] = [
  curlSample({
    ...FILTERED,
    output: `{ …, "rows": [ { "Species": "Gentoo", "Island": "Biscoe", "Body Mass (g)": 6300 }, … ], … }`,
  }),
  javascriptSample(FILTERED, FILTERED_ROWS),
  pythonSample(FILTERED, FILTERED_ROWS),
  curlSample({
    ...GROUPED,
    output: `{
  …,
  "columns": [
    { "name": "origin", "type": "string" },
    { "name": "flights", "type": "int64" },
    { "name": "mean_delay", "type": "float64" }
  ],
  "rows": [
    { "origin": "ORD", "flights": 166341, "mean_delay": 9.27365472132547 },
    { "origin": "DFW", "flights": 157162, "mean_delay": 7.700958246904468 },
    { "origin": "ATL", "flights": 124711, "mean_delay": 8.828138656574 }
  ],
  "execution": { "returned_rows": 3, "scanned_bytes": …, "elapsed_ms": …, "truncated": true },
  "next_cursor": null
}`,
  }),
  javascriptSample(GROUPED, GROUPED_ROWS),
  pythonSample(GROUPED, GROUPED_ROWS),
  curlSample({
    id: "months",
    label: "Flights per month",
    dataset: "us-flights-2001",
    body: {
      columns: [],
      group_by: [{ column: "date", bucket: "month", as: "month" }],
      aggregates: [{ function: "count", as: "flights" }],
      limit: 3,
    },
    output: `{ …, "rows": [ { "month": "2001-01-01", "flights": 508239 }, … ], … }`,
  }),
  curlSample({
    id: "whole-table",
    label: "One row over the whole table",
    dataset: "mauna-loa-co2",
    body: {
      columns: [],
      aggregates: [
        { function: "count", as: "months" },
        { function: "min", column: "CO2", as: "lowest" },
        { function: "max", column: "CO2", as: "highest" },
      ],
    },
    output: `{ …, "rows": [{ "months": 741, "lowest": 313.21, "highest": 416.18 }], … }`,
  }),
  curlSample({
    id: "offset",
    label: "The eleventh and twelfth month of the table",
    dataset: "mauna-loa-co2",
    body: { columns: ["Date"], offset: 10, limit: 2 },
    output: `{ …, "rows": [ { "Date": "1959-03-01" }, { "Date": "1959-04-01" } ], … }`,
  }),
  /** Pagination by hand: the cursor of the first page is sent with the second request. */
  {
    id: "cursor",
    label: "A page and the one after it",
    language: "shellscript",
    output: `["1958-03-01", "1958-04-01"]
["1958-05-01", "1958-07-01"]`,
    code: (place) =>
      [
        `URL=${shellWord(queryAddress(place, "mauna-loa-co2"))}`,
        'ask() { curl -s "$URL" -H \'content-type: application/json\' -d "$1"; }',
        'read_out() { python3 -c "import json, sys; page = json.load(sys.stdin); print($1)"; }',
        "",
        'ask \'{"columns": ["Date"], "limit": 2}\' > page1.json',
        "read_out \"json.dumps([row['Date'] for row in page['rows']])\" < page1.json",
        "",
        "CURSOR=$(read_out \"page['next_cursor']\" < page1.json)",
        'ask "{\\"columns\\": [\\"Date\\"], \\"limit\\": 2, \\"cursor\\": \\"$CURSOR\\"}" > page2.json',
        "read_out \"json.dumps([row['Date'] for row in page['rows']])\" < page2.json",
      ].join("\n"),
  },
  curlSample({
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
  }),
  curlSample({
    id: "near",
    label: "The earthquakes nearest to the centre of Los Angeles",
    dataset: "earthquakes-2018",
    body: {
      columns: ["place", "mag", "distance_km"],
      near: { latitude: "latitude", longitude: "longitude", of: [34.0522, -118.2437], km: 50 },
      order_by: [{ column: "distance_km" }],
      limit: 2,
    },
    output: `{
  …,
  "rows": [
    { "place": "4km WNW of Willowbrook, CA", "mag": 1.47, "distance_km": 14.681 },
    { "place": "2km E of San Marino, CA", "mag": 1.6, "distance_km": 16.254 }
  ],
  …
}`,
  }),
  curlSample({
    id: "derive",
    label: "The years in which the highest monthly mean rose most",
    dataset: "mauna-loa-co2",
    body: {
      columns: [],
      group_by: [{ column: "Date", bucket: "year", as: "year" }],
      aggregates: [{ function: "max", column: "CO2", as: "highest" }],
      derive: [{ as: "rise", function: "change", of: "highest", over: "year" }],
      order_by: [{ column: "rise", direction: "desc" }],
      limit: 3,
    },
    output: `{
  …,
  "rows": [
    { "year": "2016-01-01", "highest": 407.66, "rise": 3.56 },
    { "year": "2019-01-01", "highest": 414.83, "rise": 3.53 },
    { "year": "2013-01-01", "highest": 399.98, "rise": 3.11 }
  ],
  …
}`,
  }),
  curlSample({
    id: "search",
    label: "How many licences mention patents",
    dataset: "spdx-licenses",
    body: { columns: ["license_id"], search: { text: "patent" }, limit: 1, total: true },
    output: `{ …, "execution": { "returned_rows": 1, …, "truncated": true, "total_rows": 214 }, … }`,
  }),
  {
    id: "row-profile",
    label: "Which penguins live on one of the islands",
    tab: "curl",
    language: "shellscript",
    output: `{
  …,
  "rows": 168,
  "columns": [
    {
      "name": "Species",
      "type": "string",
      "profile": {
        "null_count": 0,
        "top_values": [ { "value": "Gentoo", "count": 124 }, { "value": "Adelie", "count": 44 } ]
      }
    }
  ]
}`,
    outputIs: "json",
    code: (place) =>
      curlQuery(profileAddress(place, "palmer-penguins"), {
        columns: ["Species"],
        filters: [{ column: "Island", operator: "eq", value: "Biscoe" }],
      }),
  },
  curlSample({
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
  }),
  curlSample({
    id: "exact-digits",
    label: "Exact digits",
    dataset: "mauna-loa-co2",
    body: { columns: ["Date", "CO2"], filters: [{ column: "CO2", operator: "eq", value: 315.7 }] },
    output: `{ …, "rows": [ { "Date": "1958-03-01", "CO2": 315.70 }, … ], … }`,
  }),
  curlSample({
    id: "numbers-as-text",
    label: "Wide numbers as text",
    dataset: "us-flights-2001",
    body: { columns: [], aggregates: [{ function: "sum", column: "distance", as: "miles" }], int64: "string" },
    output: `{ …, "columns": [{ "name": "miles", "type": "decimal(38,0)" }], "rows": [{ "miles": "2194861208" }], … }`,
  }),
];
