import { shellWord } from "@/lib/describe/snippet-text";
import { functionsFor, operatorsFor } from "@/lib/engine/types/column-types";
import { curlSample, javascriptSample, pythonSample } from "./query-sample";
import { currentAddress, keyedAddress, metadataAddress, type Sample, tableAddress } from "./sample";

const names = (list: readonly string[]): string => `[${list.map((name) => JSON.stringify(name)).join(", ")}]`;

const FIRST_QUERY = {
  id: "first-query",
  label: "The three months with the most CO₂",
  dataset: "mauna-loa-co2",
  body: {
    columns: ["Date", "CO2"],
    filters: [{ column: "CO2", operator: "gt", value: 400 }],
    order_by: [{ column: "CO2", direction: "desc" }],
    limit: 3,
  },
} as const;

const FIRST_ROWS = `{"Date":"2020-04-01","CO2":416.18}
{"Date":"2019-05-01","CO2":414.83}
{"Date":"2020-03-01","CO2":414.51}`;

export const QUICK_START_SAMPLES: readonly Sample[] = [
  {
    id: "find",
    label: "Search the catalogue",
    language: "shellscript",
    outputIs: "json",
    code: ({ base }) => `curl -s ${shellWord(`${base}/api/v2/public/datasets?q=co2&limit=1`)}`,
    output: `{
  "schema_version": "service-public-catalogue.v1",
  "total": 1,
  "datasets": [
    {
      "title": "Mauna Loa CO2",
      "slug": "mauna-loa-co2",
      "summary": "Monthly concentration of carbon dioxide in the air at Mauna Loa, Hawaii, 1958 to 2020, measured and \
seasonally adjusted.",
      …
      "tables": [{ "name": "Monthly means", "slug": "monthly", "tableId": "…", … }],
      "matched_on": ["columns", "description", "publisher", "slug", "title"],
      …
    }
  ],
  "next_cursor": null
}`,
  },
  {
    id: "columns",
    label: "The columns of a table",
    language: "shellscript",
    outputIs: "json",
    code: (place) => `curl -s ${shellWord(tableAddress(place, "mauna-loa-co2", "schema"))}`,
    output: `{
  "schema_version": "service-public-table-schema.v1",
  "table": { "id": "…", "version_id": "…", "content_digest": "sha256:…", "published_at": "…", "rows": 741, "bytes": … },
  "primary_key": ["Date"],
  "columns": [
    {
      "name": "Date",
      "type": "date",
      "nullable": false,
      "description": "First day of the month that the mean stands for.",
      "unit": null,
      "json": "string",
      "operators": ${names(operatorsFor("date"))},
      "functions": ${names(functionsFor("date"))},
      "profile": { "max": "2020-04-01", "min": "1958-03-01", … }
    },
    …
  ]
}`,
  },
  {
    id: "preview",
    label: "The first rows of a table",
    language: "shellscript",
    outputIs: "json",
    code: (place) => `curl -s ${shellWord(`${tableAddress(place, "mauna-loa-co2", "preview")}?limit=2`)}`,
    output: `{
  "schema_version": "service-public-table-preview.v1",
  "table": { "id": "…", "version_id": "…", "content_digest": "sha256:…", "published_at": "…", "rows": 741, "bytes": … },
  "columns": [
    { "name": "Date", "type": "date" },
    { "name": "CO2", "type": "decimal(5,2)" },
    { "name": "adjusted CO2", "type": "decimal(5,2)" }
  ],
  "rows": [
    { "Date": "1958-03-01", "CO2": 315.70, "adjusted CO2": 314.44 },
    { "Date": "1958-04-01", "CO2": 317.46, "adjusted CO2": 315.16 }
  ],
  "rows_total": 741,
  "truncated": true,
  "truncated_cells": []
}`,
  },
  curlSample({
    ...FIRST_QUERY,
    output: `{
  "schema_version": "service-public-table-query.v1",
  "query_id": "qry_…",
  "table": { "id": "…", "version_id": "…", "content_digest": "sha256:…", "published_at": "…" },
  "columns": [{ "name": "Date", "type": "date" }, { "name": "CO2", "type": "decimal(5,2)" }],
  "rows": [
    { "Date": "2020-04-01", "CO2": 416.18 },
    { "Date": "2019-05-01", "CO2": 414.83 },
    { "Date": "2020-03-01", "CO2": 414.51 }
  ],
  "execution": { "returned_rows": 3, "scanned_bytes": …, "elapsed_ms": …, "truncated": true },
  "next_cursor": "…"
}`,
  }),
  javascriptSample(FIRST_QUERY, FIRST_ROWS),
  pythonSample(FIRST_QUERY, FIRST_ROWS),
  {
    id: "keep-key",
    label: "Keep the key in a variable",
    language: "shellscript",
    code: () => `export PARQUETRY_KEY="\${PARQUETRY_KEY:-svc_use_…}"  # use your own`,
  },
  {
    id: "all-pages-python",
    label: "Every row, page by page",
    tab: "Python",
    language: "python",
    needsKey: true,
    output: `67192 flights from Las Vegas`,
    code: (place) =>
      [
        "import json, os, urllib.request",
        "",
        `url = ${JSON.stringify(keyedAddress(place, "us-flights-2001"))}`,
        'headers = {"content-type": "application/json", "x-api-key": os.environ["PARQUETRY_KEY"]}',
        'query = {"columns": ["date", "delay"], "filters": [{"column": "origin", "operator": "eq", "value": ' +
          '"LAS"}], "limit": 10000}',
        "",
        "rows = []",
        "while True:",
        "    request = urllib.request.Request(url, json.dumps(query).encode(), headers)",
        "    with urllib.request.urlopen(request) as response:",
        "        page = json.load(response)",
        '    rows += page["rows"]',
        '    if page["next_cursor"] is None:',
        "        break",
        '    query["cursor"] = page["next_cursor"]  # everything else remains the same',
        "",
        'print(len(rows), "flights from Las Vegas")',
      ].join("\n"),
  },
  {
    id: "all-pages-javascript",
    label: "Every row, page by page",
    tab: "JavaScript",
    language: "javascript",
    needsKey: true,
    output: `67192 flights from Las Vegas`,
    code: (place) =>
      [
        `const url = ${JSON.stringify(keyedAddress(place, "us-flights-2001"))};`,
        'const headers = { "content-type": "application/json", "x-api-key": process.env.PARQUETRY_KEY };',
        'const query = { columns: ["date", "delay"], filters: [{ column: "origin", operator: "eq", value: ' +
          '"LAS" }], limit: 10000 };',
        "",
        "let rows = 0;",
        "let cursor;",
        "do {",
        '  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ ...query, cursor }) });',
        "  const page = await response.json();",
        "  if (!response.ok) throw new Error(page.message);",
        "  rows += page.rows.length;",
        "  cursor = page.next_cursor;",
        "} while (cursor !== null);",
        "",
        'console.log(rows, "flights from Las Vegas");',
      ].join("\n"),
  },
  {
    id: "download",
    label: "The whole table as one Parquet file",
    language: "shellscript",
    needsKey: true,
    output: `x-service-content-digest: sha256:…
…  co2.parquet`,
    code: (place) =>
      [
        `curl -sf ${shellWord(currentAddress(place, "mauna-loa-co2"))} -H "x-api-key: $PARQUETRY_KEY" -D ` +
          "headers.txt -o co2.parquet",
        "grep -i '^x-service-content-digest' headers.txt",
        "sha256sum co2.parquet",
      ].join("\n"),
  },
  {
    id: "cite",
    label: "The citation, with version and digest",
    language: "shellscript",
    output:
      "Scripps CO2 Program (…). Mauna Loa CO2 [data set]. Monthly means, version …, sha256:…. Version of …, " +
      "Parquetry. …/datasets/mauna-loa-co2/versions/…",
    code: (place) =>
      [
        `curl -s ${shellWord(metadataAddress(place, "mauna-loa-co2"))} |`,
        `  python3 -c 'import json, sys; print(json.load(sys.stdin)["citation"]["text"])'`,
      ].join("\n"),
  },
];
