import { type Block, type DocContent, h2, list, name, samples, table, text } from "@/lib/docs/doc";
import { AS_ARROW, AS_CSV, AS_NDJSON, AS_PARQUET, CROISSANT, IN_PLACE } from "@/lib/docs/samples/formats";
import { JSON_FORMAT, PAGE_FORMATS } from "@/lib/formats/page-formats";

export const formats: DocContent = () => [
  h2("pages", "Query pages"),
  text(
    "The same query gives the same page in each of these. Say which you like by the header `Accept`; what none " +
      "of them fits is refused with `not_acceptable`.",
  ),
  pageFormats(),
  text(
    'What JSON says around its rows stands in headers elsewhere: `X-Next-Cursor` and `Link: …; rel="next"` ' +
      "name the next page, `X-Truncated` says whether more exists. Send the same body to the next page’s " +
      "address, or the cursor in the body.",
  ),
  samples("A page in other formats", AS_CSV, AS_NDJSON, AS_ARROW, AS_PARQUET),
  h2("files", "Whole files"),
  text(
    "The current version of every table is one Parquet file, its bytes checked against the recorded SHA-256 " +
      "before the first one is sent. It takes a [use key](/docs/accounts).",
  ),
  list(
    "`If-None-Match` with the file’s `ETag` gives 304 and no bytes while nothing has changed.",
    "`HEAD` and single ranges (`Range`, `If-Range`) work, so that DuckDB, Polars and pyarrow read a file in " +
      "place, taking only the columns and row groups that they need.",
    "`?version_id=` serves an older version. Files are never compressed a second time (`Content-Encoding`).",
  ),
  samples("Tools that read in place", ...IN_PLACE),
  h2("metadata", "Metadata"),
  table(
    "Metadata documents",
    ["Document", "Address", "What it is"],
    [
      [
        "Croissant",
        "`/api/v2/public/datasets/{slug}/croissant.json`",
        "The description that machine-learning tools read, with digests and statistics.",
      ],
      ["Data Package", "`/api/v2/public/datasets/{slug}/datapackage.json`", "Frictionless Data Package, version 2."],
      ["DCAT-AP", "[`/catalog.jsonld`](/catalog.jsonld)", "The whole catalogue for data portals, as JSON-LD."],
      ["schema.org", "in every dataset’s page", "JSON-LD for search engines."],
      [
        "Citation",
        "`/datasets/{slug}/cite.bib`, `/datasets/{slug}/cite.ris`",
        "BibTeX and RIS, for reference managers.",
      ],
      ["Atom", "`/datasets/{slug}/versions.atom`", "A feed of a dataset’s versions."],
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
    ["Format", "Accept", "What it is"],
    [JSON_FORMAT, ...PAGE_FORMATS].map(({ label, media, description }) => [label, name(media), description]),
  );
