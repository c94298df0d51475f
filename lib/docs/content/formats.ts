import { type Block, type DocContent, h2, list, name, samples, table, text } from "@/lib/docs/doc";
import { AS_ARROW, AS_CSV, AS_NDJSON, AS_PARQUET, CROISSANT, IN_PLACE } from "@/lib/docs/samples/formats";
import { JSON_FORMAT, PAGE_FORMATS } from "@/lib/formats/page-formats";

export const formats: DocContent = () => [
  h2("pages", "Query pages"),
  text(
    "The same query returns the same page in each of these formats. Choose one with the `Accept` header; a " +
      "header that matches none of them is rejected with `not_acceptable`.",
  ),
  pageFormats(),
  text(
    "In formats other than JSON, the reply’s metadata is in headers: `X-Next-Cursor` and `Link: …; " +
      'rel="next"` name the next page, and `X-Truncated` tells you whether more rows exist. Send the same body ' +
      "to the next page’s URL, or put the cursor in the body.",
  ),
  samples("A page in other formats", AS_CSV, AS_NDJSON, AS_ARROW, AS_PARQUET),
  h2("files", "Whole files"),
  text(
    "The current version of every table is a single Parquet file. Its bytes are checked against the recorded " +
      "SHA-256 before any are sent. Downloads require a [use key](/docs/accounts).",
    "In the browser, sign in and choose Download on a dataset’s page: you get the whole table as Parquet, or as CSV " +
      "converted from it; each counts as one download.",
  ),
  list(
    "`If-None-Match` with the file’s `ETag` returns 304 without a body while nothing has changed.",
    "`If-Match` with it returns 412 `precondition_failed` once another version is current, so that all ranges of a " +
      "file are of one version.",
    "`HEAD` and single ranges (`Range`, `If-Range`) are supported, so DuckDB, Polars and pyarrow can read a " +
      "file in place and fetch only the columns and row groups they need.",
    "`?version_id=` serves an older version. Files are never compressed further (no `Content-Encoding`).",
  ),
  samples("Tools that read in place", ...IN_PLACE),
  h2("metadata", "Metadata"),
  table(
    "Metadata documents",
    ["Document", "URL", "Description"],
    [
      [
        "Croissant",
        "`/api/v2/public/datasets/{slug}/croissant.json`",
        "Metadata for machine-learning tools, with digests and statistics.",
      ],
      ["Data Package", "`/api/v2/public/datasets/{slug}/datapackage.json`", "Frictionless Data Package, version 2."],
      ["DCAT-AP", "[`/catalog.jsonld`](/catalog.jsonld)", "The whole catalogue as JSON-LD, for data portals."],
      ["schema.org", "every dataset page", "JSON-LD for search engines, embedded in every dataset page."],
      [
        "Citation",
        "`/datasets/{slug}/cite.bib`, `cite.ris`, `cite.json`, `cite.cff`",
        "BibTeX and RIS for reference managers, CSL-JSON for citation processors, CITATION.cff for repositories; " +
          "also below a version’s page.",
      ],
      [
        "Pictures",
        "`/datasets/{slug}/card.png`, `/datasets/{slug}/drawing.svg`",
        "For link previews; and the values of one column as bars, for a list of datasets.",
      ],
      [
        "Atom",
        "[`/datasets.atom`](/datasets.atom), `/datasets/{slug}/versions.atom`",
        "Feeds of newly published datasets, and of a dataset’s versions.",
      ],
      [
        "Markdown",
        "`/datasets/{slug}/llms.txt`, [`/llms-full.txt`](/llms-full.txt)",
        "A dataset, and the whole catalogue, for people and language models.",
      ],
      [
        "OpenAPI",
        "[`/api/v2/public/openapi.json`](/api/v2/public/openapi.json)",
        "Every route of the API, OpenAPI 3.1.",
      ],
    ],
  ),
  samples("Croissant", CROISSANT),
];

const pageFormats = (): Block =>
  table(
    "Formats of query pages",
    ["Format", "Accept", "Description"],
    [JSON_FORMAT, ...PAGE_FORMATS].map(({ label, media, description }) => [label, name(media), description]),
  );
