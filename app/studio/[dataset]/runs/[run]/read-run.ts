import "server-only";
import { LosslessNumber } from "lossless-json";
import type { FoundDataset, StudioContext } from "@/app/studio/studio-context";
import { orUndefined } from "@/app/studio/studio-context";
import type { Lineage } from "@/components/studio/run-record";
import { type PreviewGridData, previewCells } from "@/components/values/preview-cells";
import { execute } from "@/lib/operations/execute";
import { getRun, runEvents } from "@/lib/operations/runs/get-run";
import { queryRun } from "@/lib/operations/runs/query-run";
import { getArtifactDownload, runArtifacts } from "@/lib/operations/runs/run-artifacts";
import type { RunResult } from "@/lib/schemas/run";

const ROWS = 50;
const COLUMNS = 50;
const EVENTS = 200;

/** Everything that a run's page shows; undefined for an unknown run or a run of another dataset. */
export async function readRun(studio: FoundDataset, runId: string) {
  const { ctx, workspace, found } = studio;
  const path = { workspace_id: workspace.id, run_id: runId };
  const run = await orUndefined(() => execute(getRun, { path, query: { wait_ms: 0 } }, ctx));
  if (!run || run.dataset !== found.dataset.slug) return undefined;
  const [{ events }, { artifacts }] = await Promise.all([
    execute(runEvents, { path, query: { after_seq: 0, limit: EVENTS, wait_ms: 0 } }, ctx),
    execute(runArtifacts, { path }, ctx),
  ]);
  const tables = await readRows(studio, run, ROWS);
  const recorded = artifacts.find(({ kind }) => kind === "lineage");
  const lineage = recorded && (await readLineage(workspace.id, recorded.artifact_id, { ctx }));
  return { run, events, artifacts, tables, lineage: lineage ?? [] };
}

export interface RunRows {
  slug: string;
  kind: Awaited<ReturnType<typeof queryRun.run>>["kind"];
  grid: PreviewGridData;
}

/** The first rows of each table that a run made; none of a sample that has expired. */
export async function readRows(
  { ctx, workspace }: StudioContext,
  { run_id, result }: { run_id: string; result?: RunResult | undefined },
  rows: number,
): Promise<RunRows[]> {
  const path = { workspace_id: workspace.id, run_id };
  const tables: RunRows[] = [];
  for (const { table: slug } of result?.tables ?? []) {
    const columns = result?.preview[slug]?.columns.slice(0, COLUMNS) ?? [];
    const given = { path: { ...path, table: slug }, body: { columns, limit: new LosslessNumber(String(rows)) } };
    const answer = await orUndefined(() => execute(queryRun, given, ctx));
    if (!answer) continue;
    const grid = previewCells({ columns: answer.columns, rows: answer.rows, truncated_cells: [] } as never);
    tables.push({ slug, kind: answer.kind, grid });
  }
  return tables;
}

async function readLineage(workspaceId: string, artifactId: string, { ctx }: Pick<FoundDataset, "ctx">) {
  const path = { workspace_id: workspaceId, artifact_id: artifactId };
  const found = await execute(getArtifactDownload, { path }, ctx).catch(() => undefined); // too large, or gone
  return found && (JSON.parse(found.content) as Lineage);
}
