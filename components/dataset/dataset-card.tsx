import Link from "next/link";
import { CARD_DRAWING } from "@/components/picture/card-drawing";
import type { Marks } from "@/components/ui/mark-words";
import { MarkedText } from "@/components/ui/marked-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatPlural } from "@/lib/kernel/format";
import type { Catalogue } from "@/lib/schemas/dataset";
import { publisherUrl, topicUrl } from "./collection-url";
import { FreshnessBadge, isWatched } from "./freshness-badge";

type Entry = Catalogue["datasets"][number];

const TOPICS_SHOWN = 4;
/** Parts of a dataset that a card does not show, by the names readers use. */
const UNSEEN = {
  slug: "the URL",
  description: "the description",
  tables: "table names",
  columns: "the columns",
  values: "the values",
} as const;

interface Props {
  entry: Entry;
  now: Date;
  /** What the search matched. */
  marks?: Marks;
  level?: "h2" | "h3";
  /** With licence, freshness, where it matched, and the other forms. */
  full?: boolean;
}

/** One dataset in the directory: the whole card is a link to it. */
export function DatasetCard({ entry, now, marks, level: Heading = "h2", full = false }: Props) {
  return (
    <article
      className={
        "group relative h-full py-5 " +
        `${full ? "grid gap-x-10 gap-y-3 md:grid-cols-[minmax(0,1fr)_11.5rem]" : "flex flex-col"}`
      }
    >
      <div className="min-w-0">
        <Heading className="text-lg tracking-tight">
          <Link href={`/datasets/${entry.slug}`} prefetch={false} className="group-hover:text-accent">
            <span className="absolute inset-0" aria-hidden="true" />
            <MarkedText text={entry.title} marks={marks} />
          </Link>
        </Heading>
        <p className="mt-1 line-clamp-3 max-w-prose text-muted text-sm">
          <MarkedText text={entry.summary} marks={marks} />
        </p>
        {full && <MatchNote entry={entry} marks={marks} />}
        <p className="mt-2.5 flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs tabular-nums">
          <Link
            className="relative font-medium text-ink hover:text-accent"
            href={publisherUrl(entry.publisher.slug)}
            prefetch={false}
          >
            <MarkedText text={entry.publisher.name} marks={marks} />
          </Link>
          {full && <MarkedText text={entry.license} marks={marks} />}
          {!full && <Amount entry={entry} />}
          {!full && <Published entry={entry} now={now} />}
        </p>
        {entry.topics.length > 0 && <Topics topics={entry.topics} marks={marks} />}
      </div>
      {full ? (
        <Facts entry={entry} now={now} />
      ) : (
        <div className="mt-auto pt-3">
          <CardDrawing entry={entry} />
        </div>
      )}
    </article>
  );
}

/** The facts by which datasets are compared, in a separate column if there is room. */
function Facts({ entry, now }: { entry: Entry; now: Date }) {
  return (
    <div className="flex flex-wrap content-start gap-x-4 gap-y-1 text-muted text-xs tabular-nums md:flex-col md:pt-1.5">
      <div className="basis-full md:mb-1 md:basis-auto">
        <CardDrawing entry={entry} />
      </div>
      <Amount entry={entry} />
      <Published entry={entry} now={now} />
      {isWatched(entry.freshness) && (
        <span className="relative">
          Freshness <FreshnessBadge state={entry.freshness.state} />
        </span>
      )}
      <span className="relative flex gap-3">
        <a className="link" href={new URL(entry.metadata_url).pathname} aria-label={`${entry.title} as JSON`}>
          JSON
        </a>
        <a className="link" href={new URL(entry.markdown_url).pathname} aria-label={`${entry.title} as Markdown`}>
          Markdown
        </a>
      </span>
    </div>
  );
}

/**
 * One column's values as bars, from the profile of all rows. Its URL changes with the versions. The dataset's page
 * gives the same information as text.
 */
function CardDrawing({ entry: { slug, tables } }: { entry: Entry }) {
  const versions = tables.map(({ version_id }) => version_id.slice(0, 8)).join("-");
  return (
    // biome-ignore lint/performance/noImgElement: a drawing of a few hundred bytes, served as is
    <img
      className="card-drawing"
      src={`/datasets/${slug}/drawing.svg?v=${versions}`}
      alt=""
      loading="lazy"
      {...CARD_DRAWING}
    />
  );
}

function Amount({ entry }: { entry: Entry }) {
  const rows = entry.tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    <span>
      {formatPlural(rows, "row")} in {formatPlural(entry.tables.length, "table")}
    </span>
  );
}

const Published = ({ entry, now }: { entry: Entry; now: Date }) => (
  <span className="relative">
    Published <RelativeTime at={entry.published_at} now={now} />
  </span>
);

function Topics({ topics, marks }: { topics: readonly string[]; marks: Marks | undefined }) {
  return (
    <ul aria-label="Topics" className="relative mt-2.5 flex flex-wrap gap-1.5">
      {topics.slice(0, TOPICS_SHOWN).map((topic) => (
        <li key={topic}>
          <Link className="chip bg-paper" href={topicUrl(topic)} prefetch={false}>
            <span>
              <MarkedText text={topic} marks={marks} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The columns and values that a search found, other places only if nothing on the card is marked, and what is missing. */
function MatchNote({ entry, marks }: { entry: Entry; marks: Marks | undefined }) {
  const columns = entry.matched_columns ?? [];
  const values = valuesShown(entry);
  const found: readonly string[] = entry.matched_on ?? [];
  const isSeen = columns.length + values.length > 0 || found.some((part) => !(part in UNSEEN));
  const parts = isSeen ? [] : Object.entries(UNSEEN).flatMap(([part, name]) => (found.includes(part) ? [name] : []));
  const { missing_words: missing = [] } = entry;
  if (columns.length + values.length + parts.length + missing.length === 0) return null;
  return (
    <div className="wrap-anywhere mt-2 space-y-0.5 text-faint text-xs">
      {columns.length + parts.length > 0 && (
        <p>
          Found in{" "}
          {columns.length > 0 && (
            <>
              {columns.length === 1 ? "the column " : "the columns "}
              {columns.map((name, at) => (
                <span key={name}>
                  {at > 0 && ", "}
                  <code className="font-mono text-muted">
                    <MarkedText text={name} marks={marks} />
                  </code>
                </span>
              ))}
            </>
          )}
          {parts.join(", ")}
        </p>
      )}
      {values.map(({ table, column, value }) => (
        <p key={`${table} ${column} ${value}`}>
          Has the value{" "}
          <span className="text-muted">
            “<MarkedText text={value} marks={marks} />”
          </span>{" "}
          in the column <code className="font-mono text-muted">{column}</code>
        </p>
      ))}
      {missing.length > 0 && <p>Does not mention {missing.map((word) => `“${word}”`).join(", ")}</p>}
    </div>
  );
}

const VALUES_SHOWN = 3;
/** Where a word is seen on the card, so that its values say nothing more. */
const SEEN: readonly string[] = ["title", "summary", "topics"];

/** A value for each of the words that only values show. */
function valuesShown({ matched_words: words = [] }: Entry) {
  const values = words.flatMap(({ matched_on, values: [first] = [] }) =>
    first && !matched_on.some((part) => SEEN.includes(part)) ? [first] : [],
  );
  const once = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...once.values()].slice(0, VALUES_SHOWN);
}
