import type { Metadata } from "next";
import Link from "next/link";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { datasetContext, type FoundDataset, formFields } from "@/app/studio/studio-context";
import { StudioForm } from "@/components/form/studio-form";
import { workspaceAddress } from "@/components/settings/workspace-address";
import { DatasetReaders } from "@/components/studio/dataset-readers";
import { DatasetTexts } from "@/components/studio/dataset-texts";
import { HostedTables } from "@/components/studio/hosted-tables";
import { PlanNotice } from "@/components/studio/plan-notice";
import { RunList } from "@/components/studio/run-list";
import { ScheduleLine } from "@/components/studio/schedule-line";
import { StudioPage } from "@/components/studio/studio-head";
import { studioProblem } from "@/components/studio/studio-text";
import { TableHealth } from "@/components/studio/table-health";
import { TableReleases } from "@/components/studio/table-releases";
import { Badge } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageSection } from "@/components/ui/page-section";
import { apiBaseUrl, env } from "@/lib/kernel/env";
import { execute } from "@/lib/operations/execute";
import { diagnoseTable } from "@/lib/operations/releases/diagnose-table";
import { listReleases, type TableWithReleases } from "@/lib/operations/releases/list-releases";

export const metadata: Metadata = { title: "Dataset" };

interface Props {
  params: Promise<{ dataset: string }>;
  searchParams: SearchParams;
}

/** A dataset that the workspace builds: tables with their releases, recipe, last runs. */
export default async function StudioDatasetPage({ params, searchParams }: Props) {
  const { dataset } = await params;
  const { error, wait, saved } = await singleValues(searchParams);
  const studio = await datasetContext(dataset, `/studio/${dataset}`);
  if (!studio) return <Missing />;
  const { ctx, workspace, found } = studio;
  const { slug, title, visibility } = found.dataset;
  const now = ctx.now();
  const { tables } = await execute(listReleases, { path: { workspace_id: workspace.id, dataset: slug } }, ctx);
  const isActive = workspace.subscription_active;
  const ask = isActive ? (change: string) => `/studio/${slug}/change?do=${change}` : undefined;
  return (
    <StudioPage
      title={title}
      trail={[{ href: workspaceAddress("/studio", workspace, studio.account.workspaces), label: "Studio" }]}
      badge={<Badge tone={visibility === "public" ? "ok" : "neutral"}>{visibility}</Badge>}
      intro={<Intro studio={studio} hasPage={tables.some(({ releases }) => releases.some(({ current }) => current))} />}
      problem={studioProblem(error, wait)}
      actions={isActive && <Actions studio={studio} />}
    >
      <PlanNotice
        workspace={workspace}
        planHref={workspaceAddress("/settings/workspace", workspace, studio.account.workspaces)}
        support={env().PARQUETRY_SUPPORT}
      />
      {isActive && <Waiting studio={studio} />}
      <PageSection id="tables" title="Tables">
        {tables.length === 0 ? (
          <p className="text-muted">No tables yet. The first full run creates them.</p>
        ) : (
          tables.map((table) => (
            <TableReleases key={table.slug} table={table} ask={ask} isOwner={workspace.role === "owner"} now={now} />
          ))
        )}
      </PageSection>
      {tables.length > 0 && <Freshness studio={studio} tables={tables} />}
      {tables.length > 0 && <Hosted studio={studio} ask={ask} />}
      {found.revision && <Schedule studio={studio} />}
      <PageSection id="runs" title="Latest runs">
        <RunList runs={found.runs} now={now} />
        <p className="mt-3">
          <Link href={`/studio/${slug}/runs`} prefetch={false} className="link">
            All runs
          </Link>
        </p>
      </PageSection>
      <PageSection id="recipe" title="Recipe">
        <p>
          {found.revision ? `Revision ${found.revision.number}, ${found.revision.state}. ` : "None yet. "}
          <Link href={`/studio/${slug}/recipe`} prefetch={false} className="link">
            {found.revision ? (isActive ? "View or edit" : "View") : "Write one"}
          </Link>
        </p>
      </PageSection>
      {ask && <Changes studio={studio} ask={ask} isSaved={saved === "texts"} />}
    </StudioPage>
  );
}

/** `hasPage`: a table has a current version, so there is something to read. */
const Intro = ({ studio: { workspace, found }, hasPage }: { studio: FoundDataset; hasPage: boolean }) => (
  <p>
    {found.dataset.visibility === "public" ? (
      <a href={found.dataset.url} className="link">
        Public page
      </a>
    ) : found.dataset.visibility === "private" ? (
      <>
        Only the members and use keys of {workspace.name} can read it.{" "}
        {hasPage && (
          <a href={`/datasets/${found.dataset.slug}`} className="link">
            Look at the data
          </a>
        )}
      </>
    ) : (
      "It is withdrawn: nobody can read it."
    )}
  </p>
);

async function Freshness({ studio, tables }: { studio: FoundDataset; tables: readonly TableWithReleases[] }) {
  const { ctx, workspace, found } = studio;
  const diagnosed = await Promise.all(
    tables.map(async (table) => {
      const path = { workspace_id: workspace.id, dataset: found.dataset.slug, table: table.slug };
      return { ...table, diagnosis: await execute(diagnoseTable, { path, query: { days: 30, readings: true } }, ctx) };
    }),
  );
  return (
    <PageSection id="health" title="Freshness">
      {diagnosed.map(({ slug: table, title: name, releases, diagnosis }) => (
        <TableHealth
          key={table}
          title={name}
          diagnosis={diagnosis}
          releasedAt={releases.map(({ sealed_at }) => sealed_at)}
          now={ctx.now()}
        />
      ))}
    </PageSection>
  );
}

/** Only owners can activate and deactivate tables on the hosted table API. */
const Hosted = ({
  studio: { ctx, account, workspace, found },
  ask,
}: {
  studio: FoundDataset;
  ask: Ask | undefined;
}) => (
  <PageSection id="hosted" title="Hosted URLs">
    <HostedTables
      receipts={found.tables.flatMap(({ hosted }) => (hosted ? [hosted] : []))}
      isWhole={found.tables.every(({ hosted }) => hosted !== null)}
      apiUrl={apiBaseUrl()}
      keysHref={`${workspaceAddress("/settings/access", workspace, account.workspaces)}#live-keys`}
      ask={ask}
      isOwner={workspace.role === "owner"}
      now={ctx.now()}
    />
  </PageSection>
);

function Schedule({ studio }: { studio: FoundDataset }) {
  const { dataset, schedule, recipe } = studio.found;
  const fields = formFields(studio, { form: schedule?.paused ? "resume" : "pause", dataset: dataset.slug });
  if (!studio.workspace.subscription_active)
    return (
      <PageSection id="schedule" title="Schedule">
        <p>Without a paid plan, no source is read.</p>
      </PageSection>
    );
  return (
    <PageSection id="schedule" title="Schedule">
      <ScheduleLine
        schedule={schedule}
        isWanted={(recipe as { refresh?: unknown } | undefined)?.refresh !== undefined}
        fields={fields}
        now={studio.ctx.now()}
      />
    </PageSection>
  );
}

/** The page that asks about a change. */
type Ask = (change: string) => string;

/**
 * For owners: permanently deletes a dataset that was never public or was withdrawn long enough ago, after one
 * confirmation.
 */
function Deletion({ studio, now }: { studio: FoundDataset; now: Date }) {
  const { slug, title, deletable_from: from } = studio.found.dataset;
  if (studio.workspace.role !== "owner" || from === null) return null;
  return (
    <details className="mt-10 max-w-3xl">
      <summary className="cursor-pointer font-medium">Delete this dataset</summary>
      {new Date(from) > now ? (
        <p className="mt-3 text-muted text-sm">
          This dataset was public, so it can only be deleted 30 days after its withdrawal: from {from.slice(0, 10)}.
        </p>
      ) : (
        <StudioForm fields={formFields(studio, { form: "delete_dataset", dataset: slug })} className="mt-3 space-y-3">
          <label className="flex items-start gap-2 text-sm">
            <input type="checkbox" name="sure" value="yes" required className="mt-1" />
            <span>
              Delete {title} with its versions, recipes and runs. This cannot be undone, and citations of it will lead
              nowhere.
            </span>
          </label>
          <Button type="submit" look="danger">
            Delete permanently
          </Button>
        </StudioForm>
      )}
    </details>
  );
}

/** The run that waits for a person, if the last one does. */
function Waiting({ studio }: { studio: FoundDataset }) {
  const [run] = studio.found.runs;
  const page = `/studio/${studio.found.dataset.slug}/runs/${run?.run_id}`;
  if (run?.state === "awaiting_approval")
    return <NextStep words="A sample is ready." href={`${page}/approve`} link="Review and approve it" />;
  if (run?.asks) return <NextStep words="A run is waiting for a decision." href={`${page}/approve`} link="Decide" />;
  if (run?.state === "planned")
    return <NextStep words="A run is planned. Nothing has been read yet." href={page} link="Run its sample" />;
  return run?.state === "failed" ? (
    <NextStep words="The last run failed." href={page} link="See what went wrong" />
  ) : null;
}

const NextStep = ({ words, href, link }: { words: string; href: string; link: string }) => (
  <div className="mt-5 max-w-3xl">
    <Notice tone="warning">
      {words}{" "}
      <Link href={href} prefetch={false} className="link">
        {link}
      </Link>
    </Notice>
  </div>
);

/** What people change in the browser besides the recipe. */
const Changes = ({ studio, ask, isSaved }: { studio: FoundDataset; ask: Ask; isSaved: boolean }) => (
  <>
    <PageSection id="texts" title="Title and texts">
      {isSaved && (
        <div className="mb-4 max-w-3xl">
          <Notice tone="ok">Saved.</Notice>
        </div>
      )}
      <DatasetTexts
        texts={studio.found.dataset}
        fields={formFields(studio, { form: "texts", dataset: studio.found.dataset.slug })}
      />
    </PageSection>
    <PageSection id="readers" title="Who can read it">
      <DatasetReaders
        visibility={studio.found.dataset.visibility}
        isReady={studio.found.tables.some(({ current }) => current !== null)}
        workspace={studio.workspace}
        ask={ask}
      />
    </PageSection>
    <Deletion studio={studio} now={studio.ctx.now()} />
  </>
);

function Actions({ studio }: { studio: FoundDataset }) {
  const { slug } = studio.found.dataset;
  const { revision } = studio.found;
  if (!revision)
    return (
      <LinkButton href={`/studio/${slug}/recipe`} look="primary">
        Write a recipe
      </LinkButton>
    );
  return (
    <StudioForm fields={formFields(studio, { form: "start", dataset: slug })}>
      <Button type="submit" look="primary">
        Start a run
      </Button>
      <p className="mt-1.5 text-faint text-sm">Uses revision {revision.number}, the newest.</p>
    </StudioForm>
  );
}
