import { type DocContent, h2, note, samples, text } from "@/lib/docs/doc";
import { DOC_ENTRIES, docPath } from "@/lib/docs/page-list";
import { CITE, COLUMNS, DOWNLOAD, FIND, FIRST, KEEP_KEY, PREVIEW, WALK } from "@/lib/docs/samples/quick-start";
import { NO_TABLE, SAMPLE_DATASETS } from "@/lib/docs/samples/sample";
import { formatCount } from "@/lib/format";

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
          "The examples read datasets of the showcase, which this service does not all have: put a table’s own " +
            `id in place of \`${NO_TABLE}\`.`,
        ),
      ]),
  h2("start", "Without a key"),
  text(
    "All you need is `curl`, or any other client that speaks HTTP. **Find** a dataset: search covers titles, " +
      "descriptions, publishers, topics and columns.",
  ),
  samples("Find a dataset", FIND),
  text("**Preview** a table by the `tableId` of the search."),
  samples("Preview a table", PREVIEW),
  text(
    "Read its **columns**: types, meaning, units, a profile over all rows, and the operators and functions " +
      "that each column takes.",
  ),
  samples("Read the columns", COLUMNS),
  text("**Query** it: name the columns, filter, order. The reply says which immutable version it was read from."),
  samples("A first query", ...FIRST),
  text(
    `Without a key a page holds up to ${formatCount(settings.ROWS_ANONYMOUS)} rows. [Query](/docs/query) ` +
      "teaches the whole grammar.",
  ),
  h2("keys", "With a key"),
  text(
    "A use key raises the limits, walks whole tables and downloads files. [Sign up](/sign-up), create one " +
      "under [Settings, Access](/settings/access) and keep it in a variable: it is shown this once.",
  ),
  samples("Keep the key", KEEP_KEY),
  text(
    `**Page** to the end: send \`next_cursor\` back as \`cursor\` until it is null. A page holds up to ` +
      `${formatCount(settings.ROWS_KEY)} rows, and the walk stays on the version that it began with, whatever is ` +
      "published meanwhile.",
  ),
  samples("Walk through a table", ...WALK),
  text("**Download** the whole table as one Parquet file, and see that the digest is the one that was promised."),
  samples("Download a table", DOWNLOAD),
  h2("cite", "Cite what you used"),
  text(
    "A citation names the version and its digest, so that somebody else finds the very same bytes. [Versions " +
      "and citing](/docs/versions) says more.",
  ),
  samples("Cite a dataset", CITE),
  h2("more", "All of the docs"),
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
