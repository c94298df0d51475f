import Link from "next/link";
import { formatPlural } from "@/lib/format";
import type { Catalogue } from "@/lib/schemas/dataset";
import { directoryUrl } from "./directory-url";
import { MarkedText } from "./marked-text";
import { RelativeTime } from "./relative-time";

type Entry = Catalogue["datasets"][number];

const TOPICS_SHOWN = 4;
const MATCH_NAMES = {
  title: "title",
  slug: "address",
  summary: "summary",
  description: "description",
  publisher: "publisher",
  topics: "topics",
  tables: "tables",
  columns: "columns",
  license: "licence",
} as const;

/** One dataset of the directory; the words of `q` are marked where they stand. */
export function DatasetCard({ entry, now, q = "", level: Heading = "h2" }: { entry: Entry; now: Date; q?: string; level?: "h2" | "h3" }) {
  const rows = entry.tables.reduce((sum, table) => sum + table.rows, 0);
  return (
    <article className="group relative flex h-full flex-col py-5">
      <Heading className="text-lg tracking-tight">
        <Link href={`/datasets/${entry.slug}`} className="group-hover:text-accent">
          <span className="absolute inset-0" aria-hidden="true" />
          <MarkedText text={entry.title} q={q} />
        </Link>
      </Heading>
      <p className="mt-1 line-clamp-3 max-w-prose text-muted text-sm">
        <MarkedText text={entry.summary} q={q} />
      </p>
      <p className="mt-2.5 flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs tabular-nums">
        <span className="font-medium text-ink">
          <MarkedText text={entry.publisher.name} q={q} />
        </span>
        <span>{entry.license}</span>
        <span>
          {formatPlural(entry.tables.length, "table")}, {formatPlural(rows, "row")}
        </span>
        <span className="relative">
          Published <RelativeTime at={entry.published_at} now={now} />
        </span>
      </p>
      {entry.topics.length > 0 && (
        <ul aria-label="Topics" className="relative mt-2.5 flex flex-wrap gap-1.5">
          {entry.topics.slice(0, TOPICS_SHOWN).map((topic) => (
            <li key={topic}>
              <Link className="chip bg-paper" href={directoryUrl({ topic })} prefetch={false}>
                {topic}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <MatchNote entry={entry} />
    </article>
  );
}

/** Says where a match was found when the card itself does not show it. */
function MatchNote({ entry }: { entry: Entry }) {
  const hidden = (entry.matched_on ?? []).filter((part) => part !== "title" && part !== "summary" && part !== "publisher");
  if (hidden.length === 0) return null;
  return <p className="mt-2 text-faint text-xs">Found in {hidden.map((part) => MATCH_NAMES[part]).join(", ")}</p>;
}
