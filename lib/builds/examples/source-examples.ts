const READER = { format: "csv", options: { encoding: "windows-1252", delimiter: ";" } };
const JSON_READER = { format: "json", options: { records: "/results" } };
const url = "https://data.example.org/levels";

/** An example of each kind of source, and of each way to read several parts. */
export const SOURCE_EXAMPLES = {
  http: { name: "levels", kind: "http", url: `${url}.csv`, reader: READER },
  pages: {
    name: "levels",
    kind: "http",
    url,
    query: { country: "DE" },
    pages: { by: "page", page: "page", limit: "limit", size: 100, stop: { total: "/meta/found" } },
    reader: JSON_READER,
  },
  template: {
    name: "levels",
    kind: "http",
    template: { url: `${url}-{year}.csv`, partition: { by: "year", from: "2019" }, column: { name: "year" } },
    reader: READER,
  },
  slices: {
    name: "levels",
    kind: "http",
    url,
    slices: { from: "2026-01-01", every: "P30D", send: { from: { query: "start" }, to: { query: "end" } } },
    reader: JSON_READER,
  },
  archive: { name: "levels", kind: "http", url: `${url}.zip`, archive: { member: "*.csv" }, reader: READER },
  upload: { name: "levels", kind: "upload", upload: "levels", reader: READER },
  package: {
    name: "types",
    kind: "package",
    registry: "npm",
    package: "mime-db",
    path: "db.json",
    reader: { format: "json", options: { shape: "map", key_column: "type" } },
  },
  table: { name: "countries", kind: "table", table: "reference/countries" },
} as const;
