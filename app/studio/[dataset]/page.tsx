import type { Metadata } from "next";
import Link from "next/link";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { datasetContext, type FoundDataset, formFields } from "@/app/studio/studio-context";
import { StudioForm } from "@/components/form/studio-form";
import { HostedTables } from "@/components/studio/hosted-tables";
import { RunList } from "@/components/studio/run-list";
import { StudioPage } from "@/components/studio/studio-head";
import { studioProblem } from "@/components/studio/studio-words";
import { TableReleases } from "@/components/studio/table-releases";
import { Badge } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { PageSection } from "@/components/ui/page-section";
import { apiBaseUrl } from "@/lib/kernel/env";
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
  const rollBack = (versionId: string) => formFields(studio, { form: "promote", dataset: slug, version_id: versionId });
  return (
    <StudioPage
      title={title}
      trail={[{ href: "/studio", label: "Studio" }]}
      badge={<Badge tone={visibility === "public" ? "ok" : "neutral"}>{visibility}</Badge>}
      intro={
        <p>
          {visibility === "public" ? (
            <a href={url} className="link">
              Its public page
            </a>
          ) : (
            `Only members of ${workspace.name} and its use keys read it.`
          )}
        </p>
      }
      problem={studioProblem(error, wait)}
      actions={<Actions studio={studio} />}
    >
      <Publishing studio={studio} />
      <PageSection id="tables" title="Tables">
        {tables.length === 0 ? (
          <p className="text-muted">None yet: the first full run creates them.</p>
        ) : (
          tables.map((table) => <TableReleases key={table.slug} table={table} rollBack={rollBack} now={now} />)
        )}
      </PageSection>
      {tables.length > 0 && (
        <PageSection id="hosted" title="Hosted addresses">
          <HostedTables
            receipts={found.tables.flatMap(({ hosted }) => (hosted ? [hosted] : []))}
            isWhole={found.tables.every(({ hosted }) => hosted !== null)}
            apiUrl={apiBaseUrl()}
            keysHref={`/settings/access${workspace.personal ? "" : `?workspace=${workspace.id}`}#live-keys`}
            forms={hostedForms(studio)}
            now={now}
          />
        </PageSection>
      )}
      <PageSection id="runs" title="Last runs">
        {found.runs.length === 0 ? <p className="text-muted">None yet.</p> : <RunList runs={found.runs} now={now} />}
      </PageSection>
      <PageSection id="recipe" title="Recipe">
        <p>
          {found.revision ? `Revision ${found.revision.number}, ${found.revision.state}. ` : "None yet. "}
          <Link href={`/studio/${slug}/recipe`} prefetch={false} className="link">
            {found.revision ? "Read or change it" : "Write one"}
          </Link>
        </p>
      </PageSection>
    </StudioPage>
  );
}

/** Owners put tables on the hosted table API and take them off it. */
function hostedForms(studio: FoundDataset) {
  if (studio.workspace.role !== "owner") return undefined;
  const { slug: dataset } = studio.found.dataset;
  return {
    activate: formFields(studio, { form: "activate", dataset }),
    deactivate: formFields(studio, { form: "deactivate", dataset }),
  };
}

/** The way from a private dataset to a public one, for owners; it asks once. */
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
          Everyone can then find, query and download the last run's result. A public dataset can be withdrawn, but never
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
  if (!studio.found.revision)
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
    </StudioForm>
  );
}
