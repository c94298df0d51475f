import { type DocContent, h2, list, name, samples, table, text } from "@/lib/docs/doc";
import { CITE } from "@/lib/docs/samples/quick-start";
import { BIBTEX, HISTORY, OLD_VERSION, UNCHANGED, VERIFY } from "@/lib/docs/samples/versions";
import { CHANGES, type Change } from "@/lib/schemas/table";

const CHANGE_MEANINGS: Readonly<Record<Change, string>> = {
  first: "The first version.",
  appended: "Rows were added; earlier rows are unchanged.",
  restated: "Earlier rows were changed or removed.",
  columns_added: "Columns were added; the others are unchanged.",
  breaking: "A column was removed, renamed or changed type.",
  metadata: "Same rows; column descriptions or units changed.",
};

export const versions: DocContent = () => [
  text(
    "Every table is a series of immutable versions. A version has a `version_id`, a `content_digest` (the SHA-256 of " +
      "its Parquet file), a number and a publication time, none of which ever change. It can have a `label`, its " +
      "name at the source, such as `1.54.0`, and notes; the publisher can correct both.",
  ),
  text(
    "Publishing identical rows and column notes creates no new version. If the source released them under a new " +
      "label, the version keeps its label and lists the new one in `other_labels`; both name it.",
  ),
  h2("history", "History"),
  samples("Versions", HISTORY),
  text("`change` tells you how a version differs from the previous one:"),
  table(
    "Changes",
    ["Change", "Meaning"],
    CHANGES.map((change) => [name(change), CHANGE_MEANINGS[change]]),
  ),
  text(
    "A dataset’s versions are listed at `/datasets/{slug}/versions`; the Atom feed " +
      "`/datasets/{slug}/versions.atom` announces new ones.",
  ),
  h2("reading", "Read an older version"),
  text(
    "Send `version_id` in the body of a query, or `?version_id=` with a download, a citation or a comparison " +
      "(`from` and `to`). Pagination stays on its version automatically.",
  ),
  table(
    "Ways to name a version",
    ["Send", "Example", "Reads"],
    [
      ["`version_id`, a UUID", '`"version_id": "0f4b1b9e-…"`', "That version."],
      ["`version_id`, a label", '`"version_id": "1.54.0"`', "The version with that label, exactly as written."],
      ["`version_id`, a number", '`"version_id": "3"`', "The third version of the table."],
      ["`as_of`, a date", '`"as_of": "2024-01-01"`', "The version that was current at the end of that day, UTC."],
      [
        "`as_of`, a time",
        '`"as_of": "2024-01-01T12:00:00Z"`',
        "The version that was current at that time, also where the publisher went back to an earlier one.",
      ],
    ],
  ),
  list(
    "Every reply names the `version_id` that it was read from: cite that.",
    "A name is tried as a UUID, then as a label, then as a number, and in `as_of` then as a time. Pages take the " +
      "same names: `/datasets/mime-types/types?version=1.50.0`.",
    "An unknown name is 404 `not_found` with the versions that exist and `did_you_mean`; so is a time before the " +
      "first version. A time in the future, and a name that versions of several tables have, are 400 `invalid_value`.",
    "The list of versions marks the `current` one, which after a rollback is not the newest.",
    "A withdrawn version is 410 `version_withdrawn` with the reason, however it is named.",
  ),
  samples("Two versions", OLD_VERSION),
  h2("difference", "Download a difference"),
  text(
    "`GET /api/v2/public/tables/{table_id}/versions/difference.csv` (or `difference.parquet`) `?from=…&to=…`, with a " +
      "use key, returns every row that differs between two versions, in the columns that both have with the same " +
      "type. The page that compares two versions has the same files as buttons. It counts as one download. Rows are " +
      "matched by primary key:",
  ),
  table(
    "Changes of rows",
    ["`change`", "The row"],
    [
      ["`changed_from`", "A changed row as the version `from` has it; `changed_columns` names what differs."],
      ["`changed_to`", "The same row as the version `to` has it, on the next line."],
      ["`added`", "A row that only `to` has."],
      ["`removed`", "A row that only `from` has."],
    ],
  ),
  text(
    "Where the versions share no primary key, whole rows are compared: there are only `added` and `removed`, and " +
      "`times` says how many more copies of the row one version has. If the table has a column with one of these " +
      "names, the column of the difference begins with an underscore, such as `_change`.",
  ),
  h2("verify", "Check a download"),
  text(
    "A download names the digest of its bytes in `X-Service-Content-Digest: sha256:<hex>` and in " +
      "`Content-Digest` ([RFC 9530](https://www.rfc-editor.org/rfc/rfc9530)). It equals the `content_digest` in " +
      "the catalogue, in query replies and in citations.",
  ),
  samples("Verify", VERIFY),
  h2("lineage", "How a version was built"),
  text(
    "`GET /api/v2/public/tables/{table_id}/lineage` describes how a version was made from a [recipe](/docs/recipes): " +
      "its sources with licences and the SHA-256 of the bytes that were read, the recipe’s revision and digests, the " +
      "checks with their results, and the source columns of each column. `?recipe=true` adds the recipe, whose " +
      "canonical JSON has the `document_digest`, unless its workspace hides it or it names a source that is not " +
      "public. `built` is null for files that a publisher prepared. The dataset’s page, Croissant, DCAT and JSON-LD " +
      "name the same sources.",
  ),
  h2("unchanged", "Keep a copy up to date"),
  text(
    "A download’s `ETag` is derived from the same digest. Send it back as `If-None-Match`: while nothing has " +
      "changed, the reply is 304 without a body.",
  ),
  samples("Download only if changed", UNCHANGED),
  h2("citing", "Cite"),
  text(
    "Cite the dataset, table, version and digest that you used, and the time of the query. The dataset’s page " +
      "and its metadata contain ready-made citations.",
  ),
  samples("Citation", CITE),
  samples("BibTeX", BIBTEX),
  list(
    "Every query reply names `table.version_id` and `table.content_digest`: store them with your results.",
    'Replies include `Link: <…>; rel="cite-as"` with the URL of the dataset’s page.',
  ),
];
