import { shellWord } from "@/lib/describe/snippet-text";
import { croissantAddress, currentAddress, queryAddress, type Sample, type SamplePlace } from "./sample";

const QUERY = `-H 'content-type: application/json' -d '{"columns": ["Species", "Sex", "Body Mass (g)"], "limit": 4}'`;
const ask = (place: SamplePlace, accept: string) =>
  `curl -s ${shellWord(queryAddress(place, "palmer-penguins"))} -H 'accept: ${accept}' \\\n  ${QUERY}`;

export const FORMAT_SAMPLES: readonly Sample[] = [
  {
    id: "csv",
    label: "A page as CSV",
    tab: "CSV",
    language: "shellscript",
    code: (place) => ask(place, "text/csv"),
    output: `Species,Sex,Body Mass (g)
Adelie,MALE,3750
Adelie,FEMALE,3800
Adelie,FEMALE,3250
Adelie,,`,
  },
  {
    id: "ndjson",
    label: "A page as NDJSON",
    tab: "NDJSON",
    language: "shellscript",
    code: (place) => ask(place, "application/x-ndjson"),
    output: `{"Species":"Adelie","Sex":"MALE","Body Mass (g)":3750}
{"Species":"Adelie","Sex":"FEMALE","Body Mass (g)":3800}
{"Species":"Adelie","Sex":"FEMALE","Body Mass (g)":3250}
{"Species":"Adelie","Sex":null,"Body Mass (g)":null}`,
  },
  {
    id: "arrow",
    label: "A page as an Arrow stream",
    tab: "Arrow",
    language: "shellscript",
    code: (place) => `${ask(place, "application/vnd.apache.arrow.stream")} -o page.arrow -w '%{content_type}\\n'`,
    output: "application/vnd.apache.arrow.stream",
  },
  {
    id: "parquet",
    label: "A page as a Parquet file",
    tab: "Parquet",
    language: "shellscript",
    code: (place) => `${ask(place, "application/vnd.apache.parquet")} -o page.parquet && head -c 4 page.parquet`,
    output: "PAR1",
  },
  {
    id: "croissant",
    label: "Metadata as Croissant",
    language: "shellscript",
    outputIs: "json",
    code: (place) => `curl -s ${shellWord(croissantAddress(place, "palmer-penguins"))}`,
    output: `{ "@context": …, "@type": "sc:Dataset", …, "name": "Palmer Archipelago penguins", … }`,
  },
  {
    id: "duckdb",
    label: "Read in place with DuckDB",
    tab: "DuckDB",
    language: "sql",
    needsKey: true,
    unrun: true,
    code: (place) =>
      [
        "INSTALL httpfs; LOAD httpfs;",
        "CREATE SECRET parquetry (",
        `  TYPE http, SCOPE '${place.base}',`,
        "  EXTRA_HTTP_HEADERS MAP {'x-api-key': getenv('PARQUETRY_KEY')}",
        ");",
        "SELECT origin, count(*) AS flights",
        `FROM read_parquet('${currentAddress(place, "us-flights-2001")}')`,
        "GROUP BY origin ORDER BY flights DESC LIMIT 3;",
      ].join("\n"),
  },
  {
    id: "pandas",
    label: "Read with pandas",
    tab: "pandas",
    language: "python",
    needsKey: true,
    unrun: true,
    code: (place) =>
      [
        "import os",
        "import pandas as pd  # with pyarrow",
        "",
        "flights = pd.read_parquet(",
        `    ${JSON.stringify(currentAddress(place, "us-flights-2001"))},`,
        '    storage_options={"x-api-key": os.environ["PARQUETRY_KEY"]},',
        ")",
        'print(flights.groupby("origin").size().nlargest(3))',
      ].join("\n"),
  },
];
