import type { Metadata } from "next";
import Link from "next/link";
import { answerWith, Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { readRows } from "@/app/studio/[dataset]/runs/[run]/read-run";
import { datasetContext, formFields, orUndefined } from "@/app/studio/studio-context";
import {
  ApprovalEstimate,
  ApprovalResult,
  ApprovalSources,
  ApprovalWarnings,
} from "@/components/studio/approval-facts";
import { ApprovalForm } from "@/components/studio/approval-form";
import { RecipeChanges } from "@/components/studio/recipe-changes";
import { ReleaseChanges } from "@/components/studio/release-changes";
import { RunFindings } from "@/components/studio/run-findings";
import { RunBadge } from "@/components/studio/run-list";
import { runTablePage } from "@/components/studio/run-record";
import { StudioPage } from "@/components/studio/studio-head";
import { MADE_WORDS, studioProblem } from "@/components/studio/studio-text";
import { Notice } from "@/components/ui/notice";
import { PageSection } from "@/components/ui/page-section";
import { RelativeTime } from "@/components/ui/relative-time";
import { PreviewGrid } from "@/components/values/preview-grid";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import { type ApprovalView, getApproval } from "@/lib/operations/approvals/get-approval";
import { execute } from "@/lib/operations/execute";

export const metadata: Metadata = { title: "Approve a run" };

interface Props {
  params: Promise<{ dataset: string; run: string }>;
  searchParams: SearchParams;
}

const ROWS = 10;
const QUESTIONS = {
  run: "Approve this run?",
  publication: "Publish this?",
  activation: "Activate this on the hosted table API?",
} as const;

/** Where a person decides about a run. Works without JavaScript. */
export default async function ApprovePage({ params, searchParams }: Props) {
  const { dataset, run } = await params;
  const { error, wait } = await singleValues(searchParams);
  const found = await datasetContext(dataset, `/studio/${dataset}/runs/${run}/approve`);
  if (!found) return <Missing />;
  const { ctx, workspace } = found;
  const path = { workspace_id: workspace.id, run_id: run };
  const view = await orUndefined(() => execute(getApproval, { path }, ctx));
  if (!view || view.run.dataset !== found.found.dataset.slug) return <Missing />;
  if (error === "conflict") await answerWith(409);
  const page = `/studio/${view.run.dataset}`;
  const tables = await readRows(found, { run_id: run, result: view.result }, ROWS);
  const about = { form: "decide", dataset: view.run.dataset, run_id: run, recipe_digest: view.recipe_digest ?? "" };
  return (
    <StudioPage
      title={QUESTIONS[view.decides ?? "run"]}
      trail={[
        { href: "/studio", label: "Studio" },
        { href: page, label: view.title },
        { href: `${page}/runs/${run}`, label: "Run" },
      ]}
      badge={<RunBadge run={view.run} />}
      intro={<Asked view={view} now={ctx.now()} />}
      problem={studioProblem(error, wait)}
    >
      <ApprovalWarnings view={view} />
      <div className="mt-6">
        {view.decides ? (
          <ApprovalForm view={view} fields={formFields(found, about)} />
        ) : (
          <Decided view={view} page={`${page}/runs/${run}`} />
        )}
      </div>
      <PageSection id="changes" title="What changes">
        <RecipeChanges view={view} />
      </PageSection>
      <PageSection id="release" title="Compared with the current release">
        <ReleaseChanges view={view} />
      </PageSection>
      <PageSection id="sources" title="Sources">
        <ApprovalSources view={view} />
        {view.decides === "run" && (
          <div className="mt-4 text-sm">
            <ApprovalEstimate view={view} />
          </div>
        )}
      </PageSection>
      <PageSection id="result" title="Result" aside={rowsOf(view)}>
        <ApprovalResult view={view} />
      </PageSection>
      {tables.map(({ slug, kind, grid }) => (
        <PageSection
          key={slug}
          id={`table-${slug}`}
          title={slug}
          aside={`${MADE_WORDS[kind]}, the first ${formatPlural(grid.rows.length, "row")}`}
        >
          <PreviewGrid data={grid} label={`Rows of ${slug}`} />
          <p className="mt-3">
            <Link className="link" prefetch={false} href={runTablePage(`/studio/${dataset}/runs/${run}`, slug)}>
              Explore all rows
            </Link>
          </p>
        </PageSection>
      ))}
      <RunFindings result={view.result} isSample={view.decides === "run"} runPage={`/studio/${dataset}/runs/${run}`} />
    </StudioPage>
  );
}

function Asked({ view: { asked, title, run }, now }: { view: ApprovalView; now: Date }) {
  return (
    <>
      <p>
        {title}, revision {run.revision}.{" "}
        {asked && (
          <>
            Asked <RelativeTime at={asked.asked_at} now={now} /> by <Asker asked={asked} now={now} />.
          </>
        )}
      </p>
      {asked?.message && (
        <blockquote className="mt-2 border-line border-l-2 pl-3">
          <span className="block text-faint text-xs">The requester’s note (not verified)</span>
          {asked.message}
        </blockquote>
      )}
    </>
  );
}

/** Who made the request: a program by the name it gave itself, and how long it has been connected. */
function Asker({ asked: { by, who }, now }: { asked: NonNullable<ApprovalView["asked"]>; now: Date }) {
  if (!who) return by === "agent" ? "an agent that is no longer connected" : "a former member";
  const { name, connection } = who;
  if (!connection) return name;
  return (
    <>
      <strong className="font-medium text-ink">{name}</strong>, a program that{" "}
      <span className="wrap-anywhere">{connection.person}</span> connected{" "}
      <RelativeTime at={connection.since} now={now} />
    </>
  );
}

const Decided = ({ view: { run, asked }, page }: { view: ApprovalView; page: string }) => (
  <div className="max-w-3xl">
    <Notice title="There is nothing to decide here.">
      {asked && asked.state !== "asked" && `The request was already answered: ${asked.state}. `}
      The run is {run.state.replaceAll("_", " ")}.{" "}
      <Link href={page} prefetch={false} className="link">
        View the run
      </Link>
    </Notice>
  </div>
);

const rowsOf = ({ result }: ApprovalView): string | undefined =>
  result?.tables.map(({ table, rows }) => `${table}: ${formatCount(rows)} rows`).join(", ");
