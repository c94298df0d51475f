import type { Metadata } from "next";
import Link from "next/link";
import { findDatasets } from "@/app/catalogue";
import { pageContext } from "@/app/context";
import { FillNotice } from "@/components/directory/fill-notice";
import { StatusHistory } from "@/components/status/status-history";
import { Badge } from "@/components/ui/badge";
import { CopiedId } from "@/components/ui/copied-id";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Context } from "@/lib/access/context";
import { formatPlural } from "@/lib/kernel/format";
import { type PartState, partStates, type ServicePart, startedAt } from "@/lib/operations/check-readiness";
import { fillProgress } from "@/lib/operations/fill-progress";
import { statusHistory } from "@/lib/operations/status-history";
import { type FailingUpkeep, failingUpkeep } from "@/lib/operations/upkeep-status";
import type { Catalogue } from "@/lib/schemas/dataset";
import packageInfo from "@/package.json" with { type: "json" };

export const metadata: Metadata = {
  title: "Status",
  description: "Current state of Parquetry’s components, and the versions of software and data it serves.",
};
export const dynamic = "force-dynamic";

const PARTS: Readonly<Record<ServicePart, { title: string; without: string }>> = {
  database: { title: "Catalogue", without: "datasets cannot be searched or read" },
  counters: { title: "Rate limits", without: "queries and downloads get 503" },
  engine: { title: "Query engine", without: "queries and previews fail; downloads still work" },
};

/** States that only the history shows: the service not running, and maintenance. */
const WHOLE: Readonly<Record<string, string>> = {
  service: "Entire service (not running)",
  maintenance: "Maintenance",
};
const titleOf = (part: string): string => WHOLE[part] ?? PARTS[part as ServicePart]?.title ?? part;

export default async function StatusPage() {
  const ctx = pageContext();
  const states = await partStates();
  const down = states.filter(({ isUp }) => !isUp);
  const [catalogue, filling, history, failing] = await Promise.all([
    findDatasets({ limit: 1 }, ctx).catch(() => undefined),
    fillProgress(),
    statusHistory(ctx.now()).catch(() => undefined),
    failingUpkeep().catch(() => []),
  ]);
  return (
    <div className="page py-10">
      <h1 className="text-3xl">Status</h1>
      <div className="mt-6 max-w-3xl">
        {down.length > 0 && <Trouble down={down} />}
        {down.length + failing.length === 0 && <Notice tone="ok" title="All systems operational" />}
        {failing.length > 0 && <Failing failing={failing} now={ctx.now()} />}
        {filling && (
          <div className="mt-3">
            <FillNotice filling={filling} />
          </div>
        )}
      </div>
      <section aria-labelledby="parts" className="mt-10 max-w-3xl">
        <h2 id="parts" className="mb-2 text-xl">
          Components
        </h2>
        <DataTable label="Components" columns={partColumns(ctx.now())} rows={states} keyOf={({ part }) => part} />
      </section>
      {history && (
        <section aria-labelledby="history" className="mt-10 max-w-3xl">
          <h2 id="history" className="mb-2 text-xl">
            Last 90 days
          </h2>
          <StatusHistory history={history} titleOf={titleOf} />
        </section>
      )}
      <section aria-labelledby="versions" className="mt-10">
        <h2 id="versions" className="mb-4 text-xl">
          Versions
        </h2>
        <VersionFacts catalogue={catalogue} ctx={ctx} />
      </section>
      <p className="mt-10 max-w-prose text-muted text-sm">
        Live status of this instance. Programs can request{" "}
        <a className="link" href="/status.json">
          /status.json
        </a>
        , which returns 200 if all components are up, otherwise 503.
      </p>
    </div>
  );
}

const Trouble = ({ down }: { down: readonly PartState[] }) => (
  <Notice tone="danger" title="Something is down">
    {down.map(({ part }) => (
      <p key={part}>
        {PARTS[part].title}: {PARTS[part].without}.
      </p>
    ))}
  </Notice>
);

const Failing = ({ failing, now }: { failing: readonly FailingUpkeep[]; now: Date }) => (
  <Notice tone="warning" title="Background work is failing">
    {failing.map(({ step, text, since }) => (
      <p key={step}>
        First failed <RelativeTime at={since.toISOString()} now={now} />: {text}.
      </p>
    ))}
    <p>Published data can still be read. The administrator finds the causes with `parquetry doctor`.</p>
  </Notice>
);

const partColumns = (now: Date): readonly DataColumn<PartState>[] => [
  { id: "part", head: "Component", isRest: true, cell: ({ part }) => PARTS[part].title },
  {
    id: "state",
    head: "State",
    cell: ({ isUp }) => (isUp ? <Badge tone="ok">up</Badge> : <Badge tone="danger">down</Badge>),
  },
  {
    id: "since",
    head: "Since",
    cell: ({ since }) => (
      <span className="whitespace-nowrap">
        <RelativeTime at={since.toISOString()} now={now} />
      </span>
    ),
  },
];

function VersionFacts({ catalogue, ctx }: { catalogue: Catalogue | undefined; ctx: Context }) {
  const newest = catalogue?.datasets[0];
  const table = newest?.tables[0];
  return (
    <dl className="grid gap-x-10 gap-y-1 text-sm sm:gap-y-4 sm:grid-cols-[max-content_minmax(0,1fr)]">
      <dt className="text-muted">Software</dt>
      <dd>
        Parquetry {packageInfo.version}, started <RelativeTime at={startedAt().toISOString()} now={ctx.now()} />
      </dd>
      <dt className="mt-3 text-muted sm:mt-0">Data</dt>
      <dd className="min-w-0">
        {catalogue ? <>{formatPlural(catalogue.total, "dataset")}.</> : "The catalogue is not responding."}{" "}
        {newest && (
          <>
            Newest:{" "}
            <Link className="link" href={`/datasets/${newest.slug}`}>
              {newest.title}
            </Link>
            , published <RelativeTime at={newest.published_at} now={ctx.now()} />.
          </>
        )}
        {table && (
          <span className="mt-1 block">
            <CopiedId text={table.version_id} label="version id" />
          </span>
        )}
      </dd>
    </dl>
  );
}
