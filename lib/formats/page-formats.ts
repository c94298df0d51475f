import type { QueryPage } from "@/lib/engine/run/reply";
import { toArrow } from "./arrow";
import { CSV_MEDIA } from "./csv-media";
import { toGeoJson } from "./geojson";
import { toMarkdown } from "./markdown";
import type { PageRows } from "./page-rows";
import { toParquet } from "./parquet";
import { PARQUET_MEDIA } from "./parquet-media";
import { toSheetRows } from "./sheet-xml";
import { toCsv, toNdjson } from "./text";
import { toWorkbook } from "./workbook";

/** THE row of an output format of query pages. */
export interface PageFormat {
  /** The media type that `Accept` names. */
  media: string;
  /** The reply's Content-Type, if it says more than `media`. */
  contentType?: string;
  /** Extension of saved files, without the dot. */
  extension: string;
  /** Whether it is a binary format. */
  isBinary: boolean;
  label: string;
  description: string;
  /** What a page must have, or it is rejected as `not_acceptable`. */
  needs?: "coordinates";
  /** Whether a cell can be a row of its own types, as changes have them. */
  nests?: true;
  write: WrittenFormat["write"];
}

/** What the page writer needs to know of a format. */
export interface WrittenFormat {
  media: string;
  /**
   * `wideAsText`: numbers that a double may not hold are strings, as in the JSON. Throws for a page that the format
   * cannot hold.
   */
  write(page: PageRows, wideAsText: boolean): Uint8Array | Promise<Uint8Array>;
}

/** The JSON document: the default. */
export const JSON_FORMAT = {
  media: "application/json",
  contentType: "application/json; charset=utf-8",
  extension: "json",
  isBinary: false,
  label: "JSON",
  description: "The default: rows with version, digest and cursor.",
  write: (page: QueryPage): Uint8Array => page.body,
} as const satisfies PageFormat;

/** CSV, for pages and for entire tables. */
export const CSV_FORMAT: PageFormat = {
  media: CSV_MEDIA,
  contentType: "text/csv; charset=utf-8; header=present",
  extension: "csv",
  isBinary: false,
  label: "CSV",
  description:
    'RFC 4180 with a header line and CRLF. Null is empty, the empty string `""`; lists and structs are JSON.',
  write: toCsv,
};

export const PARQUET_FORMAT: PageFormat = {
  media: PARQUET_MEDIA,
  extension: "parquet",
  isBinary: true,
  label: "Parquet",
  description: "The page as a Parquet file with the columns’ own types.",
  nests: true,
  write: toParquet,
};

export const EXCEL_FORMAT: PageFormat = {
  media: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  extension: "xlsx",
  isBinary: true,
  label: "Excel",
  description:
    "A workbook (XLSX) with numbers, dates and times in Excel’s own types. What Excel cannot hold exactly (more " +
    "than 15 digits, days before March 1900, fractions of a millisecond) is text. A second sheet names the version.",
  write: toWorkbook,
};

/** Rows of a workbook's sheet, of which whole files are made piece by piece. */
export const SHEET_ROWS: WrittenFormat = {
  media: "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml",
  write: toSheetRows,
};

/** THE formats other than JSON. What JSON has around its rows is sent in headers. */
export const PAGE_FORMATS: readonly PageFormat[] = [
  CSV_FORMAT,
  {
    media: "application/x-ndjson",
    contentType: "application/x-ndjson; charset=utf-8",
    extension: "ndjson",
    isBinary: false,
    label: "NDJSON",
    description: "One JSON object per line, with values as in the JSON response.",
    nests: true,
    write: toNdjson,
  },
  {
    media: "application/vnd.apache.arrow.stream",
    extension: "arrows",
    isBinary: true,
    label: "Arrow",
    description: "An Arrow IPC stream with the columns’ own types, for pandas, Polars, DuckDB, R and browsers.",
    nests: true,
    write: toArrow,
  },
  PARQUET_FORMAT,
  EXCEL_FORMAT,
  {
    media: "text/markdown",
    contentType: "text/markdown; charset=utf-8; variant=GFM",
    extension: "md",
    isBinary: false,
    label: "Markdown",
    description: "A table for documents and chats. Null is an empty cell.",
    write: toMarkdown,
  },
  {
    media: "application/geo+json",
    extension: "geojson",
    isBinary: false,
    label: "GeoJSON",
    description:
      "RFC 7946: a feature per row, with a point from its longitude and latitude columns and its cells as " +
      "properties. Pages without such columns get 406.",
    needs: "coordinates",
    write: toGeoJson,
  },
];
