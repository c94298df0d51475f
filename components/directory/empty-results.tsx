import { type DirectoryState, directoryUrl, FACETS } from "@/components/dataset/directory-url";
import { formatCount } from "@/lib/kernel/format";
import type { DirectoryData } from "./directory-data";

const TOPICS_SHOWN = 12;

interface Props {
  state: DirectoryState;
  data: DirectoryData;
  labelOf(name: string, value: string): string;
}

/** What to do if nothing matches: correct a word, remove a filter, browse the topics. */
export function EmptyResults({ state, data, labelOf }: Props) {
  const { suggestion, words } = data.facets;
  const hasNoWord = state.q !== undefined && words.length === 0;
  const active = FACETS.flatMap(({ name, title }) => (state[name] ? [{ name, title, values: state[name] }] : []));
  return (
    <div className="wrap-anywhere py-10">
      <p className="text-lg">{hasNoWord ? "This search contains no words." : "No datasets match."}</p>
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
        {state.q && !hasNoWord && <li>Try fewer or more general words. Descriptions and columns are searched too.</li>}
      </ul>
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
