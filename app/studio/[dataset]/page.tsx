import type { Metadata } from "next";
import Link from "next/link";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { datasetContext, type FoundDataset, formFields } from "@/app/studio/studio-context";
import { StudioForm } from "@/components/form/studio-form";
import { workspaceAddress } from "@/components/settings/workspace-address";
import { HostedTables } from "@/components/studio/hosted-tables";
import { RunList } from "@/components/studio/run-list";
import { ScheduleLine } from "@/components/studio/schedule-line";
import { StudioPage } from "@/components/studio/studio-head";
import { studioProblem } from "@/components/studio/studio-words";
import { TableHealth } from "@/components/studio/table-health";
import { TableReleases } from "@/components/studio/table-releases";
import { Badge } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageSection } from "@/components/ui/page-section";
import { apiBaseUrl } from "@/lib/kernel/env";
import { diagnoseTable } from "@/lib/operations/build/diagnose-table";
import { listReleases } from "@/lib/operations/build/list-releases";
import { execute } from "@/lib/operations/execute";

export const metadata: Metadata = { title: "Dataset" };

interface Props {
  params: Promise<{ dataset: string }>;
  searchParams: SearchParams;
}

/** A dataset that the workspace builds: tables with their releases, recipe, last runs. */
export default async function StudioDatasetPage({ params, searchParams }: Props) {
  const { dataset } = await params;
  const { error, wait } = await singleValues(searchParams);
  const studio = await datasetContext(dataset, `/studio/${dataset}`);
  if (!studio) return <Missing />;
  const { ctx, workspace, found } = studio;
  const { slug, title, visibility, url } = found.dataset;
  const now = ctx.now();
  const { tables } = await execute(listReleases, { path: { workspace_id: workspace.id, dataset: slug } }, ctx);
  const diagnosed = await Promise.all(
    tables.map(async (table) => {
      const path = { workspace_id: workspace.id, dataset: slug, table: table.slug };
      return { ...table, diagnosis: await execute(diagnoseTable, { path, query: { days: 30, readings: true } }, ctx) };
    }),
  );
  const rollBack = (versionId: string) => formFields(studio, { form: "promote", dataset: slug, version_id: versionId });
  return (
    <StudioPage
      title={title}
      trail={[{ href: workspaceAddress("/studio", workspace, studio.account.workspaces), label: "Studio" }]}
      badge={<Badge tone={visibility === "public" ? "ok" : "neutral"}>{visibility}</Badge>}
      intro={
        <p>
          {visibility === "public" ? (
            <a href={url} className="link">
              Public page
            </a>
          ) : (
            `Only the members and use keys of ${workspace.name} can read it.`
          )}
        </p>
      }
      problem={studioProblem(error, wait)}
      actions={<Actions studio={studio} />}
    >
      <Waiting studio={studio} />
      <Publishing studio={studio} />
      <PageSection id="tables" title="Tables">
        {tables.length === 0 ? (
          <p className="text-muted">No tables yet. The first full run creates them.</p>
        ) : (
          tables.map((table) => <TableReleases key={table.slug} table={table} rollBack={rollBack} now={now} />)
        )}
        {found.schedule?.paused === null && tables.some(({ releases }) => releases.length > 1) && (
          <p className="text-muted text-sm">
            A refresh makes its result current, even after a rollback. To stay on an earlier release, pause the
            schedule.
          </p>
        )}
      </PageSection>
      {diagnosed.length > 0 && (
        <PageSection id="health" title="Freshness">
          {diagnosed.map(({ slug: table, title: name, releases, diagnosis }) => (
            <TableHealth
              key={table}
              title={name}
              diagnosis={diagnosis}
              releasedAt={releases.map(({ sealed_at }) => sealed_at)}
              now={now}
            />
          ))}
        </PageSection>
      )}
      {tables.length > 0 && (
        <PageSection id="hosted" title="Hosted URLs">
          <HostedTables
            receipts={found.tables.flatMap(({ hosted }) => (hosted ? [hosted] : []))}
            isWhole={found.tables.every(({ hosted }) => hosted !== null)}
            apiUrl={apiBaseUrl()}
            keysHref={`${workspaceAddress("/settings/access", workspace, studio.account.workspaces)}#live-keys`}
            forms={hostedForms(studio)}
            now={now}
          />
        </PageSection>
      )}
      {found.revision && (
        <PageSection id="schedule" title="Schedule">
          <ScheduleLine
            schedule={found.schedule}
            isWanted={(found.recipe as { refresh?: unknown } | undefined)?.refresh !== undefined}
            fields={scheduleFields(studio)}
            now={now}
          />
        </PageSection>
      )}
      <PageSection id="runs" title="Latest runs">
        {found.runs.length === 0 ? <p className="text-muted">None yet.</p> : <RunList runs={found.runs} now={now} />}
      </PageSection>
      <PageSection id="recipe" title="Recipe">
        <p>
          {found.revision ? `Revision ${found.revision.number}, ${found.revision.state}. ` : "None yet. "}
          <Link href={`/studio/${slug}/recipe`} prefetch={false} className="link">
            {found.revision ? "View or edit" : "Write one"}
          </Link>
        </p>
      </PageSection>
      <Deletion studio={studio} now={now} />
    </StudioPage>
  );
}

/** Fields of the form that pauses or resumes the schedule. */
const scheduleFields = (studio: FoundDataset) => {
  const { dataset, schedule } = studio.found;
  return formFields(studio, { form: schedule?.paused ? "resume" : "pause", dataset: dataset.slug });
};

/** Only owners can activate and deactivate tables on the hosted table API. */
function hostedForms(studio: FoundDataset) {
  if (studio.workspace.role !== "owner") return undefined;
  const { slug: dataset } = studio.found.dataset;
  return {
    activate: formFields(studio, { form: "activate", dataset }),
    deactivate: formFields(studio, { form: "deactivate", dataset }),
  };
}

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

/** For owners: makes a private dataset public, after one confirmation. */
function Publishing({ studio }: { studio: FoundDataset }) {
  const { dataset, tables } = studio.found;
  const isReady = dataset.visibility === "private" && tables.some(({ current }) => current !== null);
  if (!isReady || studio.workspace.role !== "owner") return null;
  return (
    <details className="mt-6 max-w-3xl">
      <summary className="cursor-pointer font-medium">Publish this dataset</summary>
      <StudioForm
        fields={formFields(studio, { form: "promote", dataset: dataset.slug, visibility: "public" })}
        className="mt-3 space-y-3"
      >
        <p className="text-muted text-sm">
          Everyone can then find, query and download the last run’s result. A public dataset can be withdrawn, but never
          made private again.
        </p>
        <Button type="submit" look="primary">
          Publish to everyone
        </Button>
      </StudioForm>
    </details>
  );
}

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
