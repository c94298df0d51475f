import "server-only";
import { LosslessNumber } from "lossless-json";
import type { FoundDataset } from "@/app/studio/studio-context";
import { orUndefined } from "@/app/studio/studio-context";
import type { Lineage } from "@/components/studio/lineage-list";
import { type PreviewGridData, previewCells } from "@/components/values/preview-cells";
import { getRun, runEvents } from "@/lib/operations/build/get-run";
import { queryRun } from "@/lib/operations/build/query-run";
import { getArtifactDownload, runArtifacts } from "@/lib/operations/build/run-artifacts";
import { execute } from "@/lib/operations/execute";

const ROWS = "50";
const COLUMNS = 50;
const EVENTS = 200;

/** Everything that a run's page shows; undefined for an unknown run, and one of another dataset. */
export async function readRun({ ctx, workspace, found }: FoundDataset, runId: string) {
  const path = { workspace_id: workspace.id, run_id: runId };
  const run = await orUndefined(() => execute(getRun, { path, query: { wait_ms: 0 } }, ctx));
  if (!run || run.dataset !== found.dataset.slug) return undefined;
  const [{ events }, { artifacts }] = await Promise.all([
    execute(runEvents, { path, query: { after_seq: 0, limit: EVENTS, wait_ms: 0 } }, ctx),
    execute(runArtifacts, { path }, ctx),
  ]);
  const slugs = run.result?.tables.map(({ table }) => table) ?? [];
  const tables: { slug: string; sampled: boolean; grid: PreviewGridData }[] = [];
  for (const slug of slugs) {
    const columnNames = run.result?.preview[slug]?.columns.slice(0, COLUMNS) ?? [];
    const body = { columns: columnNames, limit: new LosslessNumber(ROWS) };
    const given = { path: { ...path, table: slug }, body };
    const answer = await orUndefined(() => execute(queryRun, given, ctx));
    if (!answer) continue; // an expired sample has no rows any more
    const { columns, rows } = answer;
    tables.push({ slug, sampled: answer.sampled, grid: previewCells({ columns, rows, truncated_cells: [] } as never) });
  }
  const recorded = artifacts.find(({ kind }) => kind === "lineage");
  const lineage = recorded && (await readLineage(workspace.id, recorded.artifact_id, { ctx }));
  return { run, events, artifacts, tables, lineage: lineage ?? [] };
}

async function readLineage(workspaceId: string, artifactId: string, { ctx }: Pick<FoundDataset, "ctx">) {
  const path = { workspace_id: workspaceId, artifact_id: artifactId };
  const found = await execute(getArtifactDownload, { path }, ctx).catch(() => undefined); // too large, or gone
  return found && (JSON.parse(found.content) as Lineage);
}
