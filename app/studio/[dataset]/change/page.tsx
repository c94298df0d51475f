import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { datasetContext, type FoundDataset } from "@/app/studio/studio-context";
import { ChangeQuestion } from "@/components/studio/change-question";
import { ReleaseChanges } from "@/components/studio/release-changes";
import { StudioPage } from "@/components/studio/studio-head";
import { studioProblem } from "@/components/studio/studio-text";
import { Notice } from "@/components/ui/notice";
import { PageSection } from "@/components/ui/page-section";
import { mayCause } from "@/lib/operations/datasets/dataset-events";
import { execute } from "@/lib/operations/execute";
import { listReleases } from "@/lib/operations/releases/list-releases";
import { getRun } from "@/lib/operations/runs/get-run";
import { QUESTIONS, type Question, type Release } from "./questions";

export const metadata: Metadata = { title: "Change" };

interface Props {
  params: Promise<{ dataset: string }>;
  searchParams: SearchParams;
}

/** Asks before anything that others see is changed: what it would change, and a button. Works without JavaScript. */
export default async function ChangePage({ params, searchParams }: Props) {
  const { dataset } = await params;
  const { do: name = "", version, run, error, wait } = await singleValues(searchParams);
  const studio = await datasetContext(dataset, `/studio/${dataset}`);
  const releases = studio && (await releasesOf(studio));
  const ask = Object.hasOwn(QUESTIONS, name) ? QUESTIONS[name as keyof typeof QUESTIONS] : undefined;
  const isPaid = studio?.workspace.subscription_active === true;
  const question: Question | undefined =
    studio && releases && ask && isPaid ? ask(studio, releases, version ?? run ?? "") : undefined;
  if (studio && !question && error !== undefined) redirect(withProblem(`/studio/${dataset}`, error, wait));
  if (!studio || !question) return <Missing />;
  const { slug, title } = studio.found.dataset;
  const page = `/studio/${slug}`;
  const choices = question.choices.filter(({ event, chosen }) =>
    mayCause(event, studio.found, studio.workspace.role, chosen),
  );
  return (
    <StudioPage
      title={question.title}
      trail={[
        { href: "/studio", label: "Studio" },
        { href: page, label: title },
      ]}
      problem={studioProblem(error, wait)}
    >
      <ChangeQuestion facts={question.facts} choices={choices} back={page} />
      {choices.length === 0 && (
        <div className="mt-5 max-w-3xl">
          <Notice>Only an owner of the workspace can do this.</Notice>
        </div>
      )}
      {question.becomes && <Difference studio={studio} releases={question.becomes} />}
    </StudioPage>
  );
}

/** Where a question that no longer arises leads, with what went wrong. */
const withProblem = (page: string, error: string, wait = ""): string =>
  `${page}?${new URLSearchParams({ error, wait })}`;

async function releasesOf({ ctx, workspace, found }: FoundDataset): Promise<Release[]> {
  const path = { workspace_id: workspace.id, dataset: found.dataset.slug };
  const { tables } = await execute(listReleases, { path }, ctx);
  return tables.flatMap(({ releases, ...table }) => releases.map((release) => ({ ...release, ...table })));
}

/** How the versions' rows and columns differ from those of the current ones. */
async function Difference({ studio, releases }: { studio: FoundDataset; releases: readonly Release[] }) {
  const path = { workspace_id: studio.workspace.id, run_id: releases[0]?.run_id ?? "" };
  const run = await execute(getRun, { path, query: { wait_ms: 0 } }, studio.ctx);
  const tables = run.differences?.filter(({ table }) => releases.some(({ slug }) => slug === table)) ?? [];
  return (
    <PageSection id="difference" title="Compared with the current release">
      <ReleaseChanges view={{ run, release_differences: tables }} />
    </PageSection>
  );
}
