import { DatasetCard } from "@/components/dataset/dataset-card";
import { type DirectoryState, directoryUrl, FACETS } from "@/components/dataset/directory-url";
import { marksOf } from "@/components/ui/mark-words";
import { formatCount } from "@/lib/kernel/format";
import type { DirectoryData } from "./directory-data";

const TOPICS_SHOWN = 12;

interface Props {
  state: DirectoryState;
  data: DirectoryData;
  /** The time of rendering. */
  now: Date;
  labelOf(name: string, value: string): string;
}

/** What to do if nothing matches: look at what matches in part, correct a word, remove a filter, browse the topics. */
export function EmptyResults({ state, data, now, labelOf }: Props) {
  const { nearest = [] } = data.catalogue;
  const { suggestion, words } = data.facets;
  const hasNoWord = state.q !== undefined && words.length === 0;
  const active = FACETS.flatMap(({ name, title }) => (state[name] ? [{ name, title, values: state[name] }] : []));
  return (
    <div className="wrap-anywhere py-10">
      <p className="text-lg">{messageOf({ hasNoWord, isNear: nearest.length > 0 })}</p>
      <ul className="mt-3 space-y-1.5 text-muted">
        {suggestion && (
          <li>
            Did you mean{" "}
            <a className="link font-medium" href={directoryUrl({ ...state, q: suggestion, cursor: undefined })}>
              {suggestion}
            </a>
            ?
          </li>
        )}
        {active.map(({ name, title, values }) => (
          <li key={name}>
            <a className="link" href={directoryUrl({ ...state, [name]: undefined, cursor: undefined })}>
              Without {title.toLowerCase()} {values.map((value) => `“${labelOf(name, value)}”`).join(" or ")}
            </a>
          </li>
        ))}
        {hasNoWord && <li>Enter letters or digits from a title, publisher, topic or column.</li>}
        {state.q && !hasNoWord && (
          <li>Try fewer or more general words. Descriptions, columns and values are searched too.</li>
        )}
      </ul>
      {nearest.length > 0 && (
        <ul aria-label="Nearest datasets" className="mt-6 divide-y divide-line border-line border-y">
          {nearest.map((entry) => (
            <li key={entry.slug}>
              <DatasetCard entry={entry} now={now} marks={marksOf(words)} level="h3" full />
            </li>
          ))}
        </ul>
      )}
      {data.topics.length > 0 && (
        <>
          <p className="mt-6 text-muted">Or browse by topic:</p>
          <ul aria-label="Topics to browse" className="mt-2 flex flex-wrap gap-1.5">
            {data.topics.slice(0, TOPICS_SHOWN).map((topic) => (
              <li key={topic.value}>
                <a className="chip gap-1.5" href={directoryUrl({ topic: [topic.value] })}>
                  {topic.label} <span className="text-faint">{formatCount(topic.count)}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-6">
        <a className="link" href="/datasets">
          Show all datasets
        </a>
      </p>
    </div>
  );
}

function messageOf({ hasNoWord, isNear }: { hasNoWord: boolean; isNear: boolean }): string {
  if (hasNoWord) return "This search contains no words.";
  return isNear ? "No dataset matches all your words. These match some of them." : "No datasets match.";
}
