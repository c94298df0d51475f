import { type DocContent, h2, note, samples, text } from "@/lib/docs/doc";
import { DOC_ENTRIES, docPath } from "@/lib/docs/page-list";
import { ALL_PAGES, CITE, COLUMNS, DOWNLOAD, FIND, FIRST, KEEP_KEY, PREVIEW } from "@/lib/docs/samples/quick-start";
import { NO_TABLE, SAMPLE_DATASETS } from "@/lib/docs/samples/sample";
import { formatCount } from "@/lib/kernel/format";

/** Anchors of the first docs page, from when it was the only one. */
const ANCHORS: Readonly<Record<string, string>> = {
  accounts: "security",
  access: "access",
  api: "routes",
  query: "operators",
  types: "functions",
  limits: "limits",
  errors: "errors",
};

export const quickStart: DocContent = ({ place, settings }) => [
  ...(SAMPLE_DATASETS.every((slug) => place.tableIds.has(slug))
    ? []
    : [
        note(
          `The examples use showcase datasets, some of which are missing here: replace \`${NO_TABLE}\` with ` +
            "the ID of one of your tables.",
        ),
      ]),
  h2("start", "Without a key"),
  text(
    "All you need is `curl` or any other HTTP client. **Find** a dataset: search covers titles, descriptions, " +
      "publishers, topics and columns.",
  ),
  samples("Find a dataset", FIND),
  text("**Preview** a table, using the `tableId` from the search."),
  samples("Preview a table", PREVIEW),
  text(
    "Get its **columns**: types, descriptions, units, a profile over all rows, and the operators and functions " +
      "that each column supports.",
  ),
  samples("Read the columns", COLUMNS),
  text("**Query** it: choose columns, filter and sort. The reply names the immutable version that it was read from."),
  samples("A first query", ...FIRST),
  text(
    `Without a key, a page has up to ${formatCount(settings.ROWS_ANONYMOUS)} rows. [Query](/docs/query) ` +
      "documents the whole grammar.",
  ),
  h2("keys", "With a key"),
  text(
    "A use key (your API key) raises the limits, lets you read whole tables page by page, and downloads files. " +
      "[Sign up](/sign-up), create a key under [Settings, Access](/settings/access) and store it in an " +
      "environment variable: it is shown only once.",
  ),
  samples("Keep the key", KEEP_KEY),
  text(
    "**Iterate pages**: send `next_cursor` back as `cursor` until it is null. A page has up to " +
      `${formatCount(settings.ROWS_KEY)} rows. All pages come from the version of the first one, even if a newer ` +
      "version is published in the meantime.",
  ),
  samples("Read all pages of a table", ...ALL_PAGES),
  text("**Download** the whole table as a single Parquet file and check its digest."),
  samples("Download a table", DOWNLOAD),
  h2("cite", "Cite what you used"),
  text(
    "A citation names the version and its digest, so that anyone can retrieve exactly the same bytes. See " +
      "[Versions and citing](/docs/versions).",
  ),
  samples("Cite a dataset", CITE),
  h2("more", "All docs pages"),
  {
    kind: "links",
    links: DOC_ENTRIES.filter(({ slug }) => slug !== "").map(({ slug, title, summary }) => ({
      href: docPath(slug),
      title,
      text: summary,
      ...(ANCHORS[slug] && { id: ANCHORS[slug] }),
    })),
  },
];
