import type { Metadata } from "next";
import Link from "next/link";
import { Missing } from "@/app/missing";
import type { SearchParams } from "@/app/search-params";
import { orUndefined, type StudioContext, studioContext } from "@/app/studio/studio-context";
import { RememberWorkspace } from "@/components/settings/remember-workspace";
import { BuildUsage } from "@/components/studio/build-usage";
import { PlanNeeded, PlanNotice } from "@/components/studio/plan-notice";
import { StudioPage } from "@/components/studio/studio-head";
import { StudioList } from "@/components/studio/studio-list";
import { LinkButton } from "@/components/ui/button";
import { PageSection } from "@/components/ui/page-section";
import { env } from "@/lib/kernel/env";
import { listMyDatasets } from "@/lib/operations/datasets/own-datasets";
import { execute } from "@/lib/operations/execute";
import { getBuildUsage } from "@/lib/operations/runs/get-build-usage";

export const metadata: Metadata = { title: "Studio" };

const LISTED = 50;

/** The datasets that a workspace builds. */
export default async function StudioHome({ searchParams }: { searchParams: SearchParams }) {
  const studio = await studioContext("/studio", searchParams);
  if (!studio) return <Missing />;
  const { ctx, workspace } = studio;
  const given = { path: { workspace_id: workspace.id }, query: { limit: LISTED } };
  const [list, usage] = await Promise.all([
    orUndefined(() => execute(listMyDatasets, given, ctx)),
    orUndefined(() => execute(getBuildUsage, { path: given.path }, ctx)),
  ]);
  const query = `?workspace=${workspace.id}`;
  return (
    <StudioPage
      title="Studio"
      intro={<Workspaces studio={studio} />}
      actions={
        workspace.subscription_active && (
          <>
            <LinkButton href={`/studio/new/uploads${query}`}>Uploads</LinkButton>
            <LinkButton href={`/studio/new${query}`}>New dataset</LinkButton>
            <LinkButton href={`/studio/new/publish${query}`} look="primary">
              Publish a file
            </LinkButton>
          </>
        )
      }
    >
      {list !== undefined && list.total > 0 && (
        <PlanNotice workspace={workspace} planHref={`/settings/workspace${query}`} support={env().PARQUETRY_SUPPORT} />
      )}
      <div className="mt-8">
        {!workspace.subscription_active && !list?.total ? (
          <PlanNeeded href={`/settings/workspace${query}`} />
        ) : (
          <StudioList datasets={list?.datasets ?? []} now={ctx.now()} />
        )}
        {list?.next_cursor && (
          <p className="mt-4 text-muted text-sm">
            Showing the first {LISTED} of {list.total} datasets by name.
          </p>
        )}
      </div>
      <RememberWorkspace id={workspace.id} />
      {usage && (
        <PageSection id="usage" title="Usage">
          <div className="max-w-3xl">
            <BuildUsage usage={usage} />
          </div>
        </PageSection>
      )}
    </StudioPage>
  );
}

const Workspaces = ({ studio: { account, workspace } }: { studio: StudioContext }) => (
  <p>
    Datasets that {workspace.name} builds.
    {account.workspaces.length > 1 &&
      account.workspaces
        .filter(({ id }) => id !== workspace.id)
        .map(({ id, name }) => (
          <Link key={id} href={`/studio?workspace=${id}`} prefetch={false} className="link ml-3">
            {name}
          </Link>
        ))}
  </p>
);
