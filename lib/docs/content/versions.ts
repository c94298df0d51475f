import { type DocContent, h2, list, name, samples, table, text } from "@/lib/docs/doc";
import { CITE } from "@/lib/docs/samples/quick-start";
import { BIBTEX, HISTORY, OLD_VERSION, UNCHANGED, VERIFY } from "@/lib/docs/samples/versions";
import { CHANGES, type Change } from "@/lib/schemas/table";

const CHANGE_WORDS: Readonly<Record<Change, string>> = {
  first: "The first version.",
  appended: "Rows were added; those of before are as they were.",
  restated: "Rows of before have changed or gone.",
  columns_added: "Columns were added; the others are as they were.",
  breaking: "A column was removed, renamed or given another type.",
  metadata: "The same rows: notes on columns have changed.",
};

export const versions: DocContent = () => [
  text(
    "Every table is a row of immutable versions. A version has a `version_id`, a `content_digest` (the SHA-256 " +
      "of its Parquet file) and a time of publishing; none of them ever changes. Identical rows and notes make " +
      "no new version.",
  ),
  h2("history", "History"),
  samples("Versions", HISTORY),
  text("`change` says how a version differs from the one before:"),
  table(
    "Changes",
    ["Change", "Meaning"],
    CHANGES.map((change) => [name(change), CHANGE_WORDS[change]]),
  ),
  text(
    "A dataset’s page shows its versions at `/datasets/{slug}/versions`; the Atom feed " +
      "`/datasets/{slug}/versions.atom` tells of new ones.",
  ),
  h2("reading", "Read an older version"),
  text(
    "Name it: `version_id` in the body of a query, `?version_id=` at a download. A walk by cursor stays on its " +
      "version by itself.",
  ),
  samples("Two versions", OLD_VERSION),
  h2("verify", "Check a download"),
  text(
    "The reply to a download names the digest of its bytes as `X-Service-Content-Digest: sha256:<hex>` and as " +
      "`Content-Digest` ([RFC 9530](https://www.rfc-editor.org/rfc/rfc9530)). It is the `content_digest` that " +
      "the catalogue, every query and every citation name.",
  ),
  samples("Verify", VERIFY),
  h2("unchanged", "Keep a copy up to date"),
  text(
    "The `ETag` of a download is made from the same digest. Send it back as `If-None-Match`: while nothing has " +
      "changed, the answer is 304, without bytes.",
  ),
  samples("Only what has changed", UNCHANGED),
  h2("citing", "Cite"),
  text(
    "Cite the dataset, the table, the version and the digest that you used, and when you queried it. The " +
      "dataset’s page and its metadata have the words ready.",
  ),
  samples("Citation", CITE),
  samples("BibTeX", BIBTEX),
  list(
    "Every reply to a query names `table.version_id` and `table.content_digest`: keep them beside your results.",
    'Replies carry `Link: <…>; rel="cite-as"` with the dataset’s page.',
  ),
];
