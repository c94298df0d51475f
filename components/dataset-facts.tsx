import type { ReactNode } from "react";
import { formatDay } from "@/lib/format";
import type { Dataset } from "@/lib/schemas/dataset";
import { LicenseName } from "./license-name";
import { RelativeTime } from "./relative-time";

/** The facts of a dataset in a list: publisher, licence, times, sources. */
export function DatasetFacts({ dataset, now }: { dataset: Dataset; now: Date }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 text-sm sm:grid-cols-3 lg:grid-cols-1">
      <Fact name="Publisher">
        <PublisherLink publisher={dataset.publisher} />
      </Fact>
      <Fact name="Licence">
        <LicenseName license={dataset.license} />
      </Fact>
      <Fact name="Published">
        {formatDay(dataset.published_at)}{" "}
        <span className="text-muted">
          (<RelativeTime at={dataset.published_at} now={now} />)
        </span>
      </Fact>
      {dataset.temporal_coverage && <Fact name="Covers">{dataset.temporal_coverage.replace("/", " to ")}</Fact>}
      {dataset.sources.length > 0 && (
        <Fact name={dataset.sources.length === 1 ? "Source" : "Sources"}>
          <ul>
            {dataset.sources.map((source) => (
              <li key={source.name}>
                {source.url ? (
                  <a className="link" href={source.url}>
                    {source.name}
                  </a>
                ) : (
                  source.name
                )}
              </li>
            ))}
          </ul>
        </Fact>
      )}
      <Fact name="Freshness">
        <Freshness {...dataset.freshness} />
      </Fact>
      <Fact name="For programs">
        <span className="flex flex-wrap gap-x-3">
          <a className="link" href={dataset.metadata_url}>
            JSON
          </a>
          <a className="link" href={dataset.markdown_url}>
            Markdown
          </a>
          <a className="link" href={dataset.croissant_url}>
            Croissant
          </a>
        </span>
      </Fact>
    </dl>
  );
}

// States and reasons without words of their own are shown as they are.
const STATES: Readonly<Record<string, string>> = { unknown: "Not known" };
const REASONS: Readonly<Record<string, string>> = {
  no_observation: "published by hand, no source is watched",
  no_release: "nothing is released yet",
};

const Freshness = ({ state, reason_code }: Dataset["freshness"]) => (
  <>
    {STATES[state] ?? state.replaceAll("_", " ")} <span className="text-muted">({REASONS[reason_code] ?? reason_code.replaceAll("_", " ")})</span>
  </>
);

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 [overflow-wrap:anywhere]">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}

const PublisherLink = ({ publisher }: { publisher: Dataset["publisher"] }) =>
  publisher.url ? (
    <a className="link" href={publisher.url}>
      {publisher.name}
    </a>
  ) : (
    publisher.name
  );
