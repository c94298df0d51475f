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
    "Every table is a series of immutable versions. A version has a `version_id`, a `content_digest` (the " +
      "SHA-256 of its Parquet file) and a publication time, none of which ever change. Publishing identical rows " +
      "and column notes creates no new version.",
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
    "Send `version_id` in the body of a query or `?version_id=` with a download. Pagination stays on its " +
      "version automatically.",
  ),
  samples("Two versions", OLD_VERSION),
  h2("verify", "Check a download"),
  text(
    "A download names the digest of its bytes in `X-Service-Content-Digest: sha256:<hex>` and in " +
      "`Content-Digest` ([RFC 9530](https://www.rfc-editor.org/rfc/rfc9530)). It equals the `content_digest` in " +
      "the catalogue, in query replies and in citations.",
  ),
  samples("Verify", VERIFY),
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
