import type { Metadata } from "next";
import Link from "next/link";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { datasetContext, type FoundDataset, formFields } from "@/app/studio/studio-context";
import { StudioForm } from "@/components/form/studio-form";
import { LiveRefresh } from "@/components/settings/live-refresh";
import { RunFindings } from "@/components/studio/run-findings";
import { RunBadge } from "@/components/studio/run-list";
import { ArtifactList, LineageList, RunEvents, runTablePage } from "@/components/studio/run-record";
import { StudioPage } from "@/components/studio/studio-head";
import { isUnderWay, MADE_WORDS, studioProblem } from "@/components/studio/studio-text";
import { Button, LinkButton } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageSection } from "@/components/ui/page-section";
import { RelativeTime } from "@/components/ui/relative-time";
import { PreviewGrid } from "@/components/values/preview-grid";
import { formatPlural } from "@/lib/kernel/format";
import type { RunBrief } from "@/lib/schemas/run";
import { readRun } from "./read-run";

export const metadata: Metadata = { title: "Run" };

interface Props {
  params: Promise<{ dataset: string; run: string }>;
  searchParams: SearchParams;
}

/** A run: its state, what happened, and what it made. */
export default async function RunPage({ params, searchParams }: Props) {
  const { dataset, run: runId } = await params;
  const { error, wait } = await singleValues(searchParams);
  const found = await datasetContext(dataset, `/studio/${dataset}/runs/${runId}`);
  const read = found && (await readRun(found, runId));
  if (!found || !read) return <Missing />;
  const { run, events, artifacts, tables, lineage } = read;
  const { slug, title } = found.found.dataset;
  const now = found.ctx.now();
  return (
    <StudioPage
      title="Run"
      trail={[
        { href: "/studio", label: "Studio" },
        { href: `/studio/${slug}`, label: title },
      ]}
      badge={<RunBadge run={run} />}
      intro={
        <p>
          {run.kind === "refresh" ? "Refresh" : "Build"} of revision {run.revision}, planned{" "}
          <RelativeTime at={run.created_at} now={now} />.{run.phase && isUnderWay(run.state) && ` Now: ${run.phase}.`}
        </p>
      }
      problem={studioProblem(error, wait)}
      actions={found.workspace.subscription_active && <RunActions run={run} found={found} />}
    >
      {isUnderWay(run.state) && (
        <div className="mt-5">
          <LiveRefresh at={now.toISOString().slice(11, 19)} />
        </div>
      )}
      <Failure run={run} />
      <Onward run={run} found={found} />
      {run.state === "failed" && <Found run={run} />}
      {tables.map(({ slug: table, kind, grid }) => (
        <PageSection
          key={table}
          id={`table-${table}`}
          title={table}
          aside={asideOf(MADE_WORDS[kind], rowsOf(run, table), grid.rows.length)}
        >
          <PreviewGrid data={grid} label={`Rows of ${table}`} />
          <p className="mt-3">
            <Link className="link" prefetch={false} href={runTablePage(`/studio/${slug}/runs/${runId}`, table)}>
              Explore all rows
            </Link>
          </p>
        </PageSection>
      ))}
      {run.state !== "failed" && <Found run={run} />}
      <PageSection id="events" title="What happened" aside="Times in UTC">
        <RunEvents events={events} />
      </PageSection>
      {lineage.length > 0 && (
        <PageSection id="lineage" title="Where columns come from">
          <LineageList lineage={lineage} />
        </PageSection>
      )}
      {artifacts.length > 0 && (
        <PageSection id="artifacts" title="Artifacts">
          <ArtifactList artifacts={artifacts} />
        </PageSection>
      )}
    </StudioPage>
  );
}

type Run = NonNullable<Awaited<ReturnType<typeof readRun>>>["run"];

const rowsOf = ({ result }: Run, slug: string): number => result?.tables.find(({ table }) => table === slug)?.rows ?? 0;

/** Whether everything that the run sealed is already current. */
const isCurrent = ({ result }: Run, { found: { tables } }: FoundDataset): boolean =>
  result?.tables.every(
    ({ table, version_id: sealed }) =>
      sealed === undefined || tables.find(({ slug }) => slug === table)?.current?.version_id === sealed,
  ) ?? false;

const asideOf = (made: string, rows: number, shown: number): string =>
  `${made}, ${formatPlural(rows, "row")}${shown < rows ? `, the first ${shown}` : ""}`;

/** Checks and rejects, shown before the rows if they are why a run failed. */
const Found = ({ run: { result, state, dataset, run_id } }: { run: Run }) =>
  result && (
    <RunFindings
      result={result}
      hasFailed={state === "failed"}
      isSample={state === "awaiting_approval"}
      runPage={`/studio/${dataset}/runs/${run_id}`}
    />
  );

const Failure = ({ run: { failure } }: { run: RunBrief }) =>
  failure ? (
    <div className="mt-5 max-w-3xl">
      <Notice tone="danger" title={capitalised(failure.code.replaceAll("_", " "))}>
        {failure.message} {failure.fix}
      </Notice>
    </div>
  ) : null;

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** The next step for a person who waited for the run. */
function Onward({ run, found: { found } }: { run: Run; found: FoundDataset }) {
  const { slug, visibility, url } = found.dataset;
  const words = NEXT[run.state] ?? (run.state === "sealed" ? sealedText(run, found) : undefined);
  if (!words) return null;
  return (
    <p className="mt-5 max-w-3xl text-muted text-sm">
      {words}{" "}
      {run.state === "sealed" && (
        <a href={visibility === "public" ? url : `/studio/${slug}`} className="link">
          {visibility === "public" ? "Public page" : "Go to the dataset"}
        </a>
      )}
    </p>
  );
}

const NEXT: Readonly<Partial<Record<Run["state"], string>>> = {
  planned: "Nothing has been read yet. A sample reads the beginning of each source and publishes nothing.",
  awaiting_approval: "Review the rows, checks and rejects below. The full run starts once it is approved.",
};

const sealedText = ({ outcome }: Run, { dataset }: FoundDataset["found"]): string =>
  outcome === "unchanged"
    ? "The sources returned what is already current."
    : dataset.visibility === "public"
      ? "Everyone can read the current release."
      : "Its result is private. An owner can publish the dataset.";

function RunActions({ run, found }: { run: Run; found: FoundDataset }) {
  const { run_id, dataset, state } = run;
  const fields = (form: string) => formFields(found, { form, dataset, run_id });
  const isOpen = isUnderWay(state) || state === "planned" || state === "awaiting_approval";
  return (
    <>
      {state === "planned" && (
        <StudioForm fields={fields("confirm")}>
          <Button type="submit" look="primary">
            Run a sample
          </Button>
        </StudioForm>
      )}
      {(state === "awaiting_approval" || run.asks) && (
        <LinkButton href={`/studio/${dataset}/runs/${run_id}/approve`} look="primary">
          Review and approve
        </LinkButton>
      )}
      {state === "sealed" && run.outcome === "released" && !isCurrent(run, found) && (
        <LinkButton href={`/studio/${dataset}/change?do=promote_run&run=${run_id}`}>Make current…</LinkButton>
      )}
      {isOpen && (
        <StudioForm fields={fields("cancel")}>
          <Button type="submit">Cancel the run</Button>
        </StudioForm>
      )}
    </>
  );
}
