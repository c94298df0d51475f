import { canonicalJson } from "@/lib/builds/document/canonical";
import { recipeDigest } from "@/lib/builds/document/digests";
import { env } from "@/lib/kernel/env";
import { rejectedCells } from "@/lib/operations/approvals/approval-policy";
import { withTableLock } from "@/lib/store/datasets/versions";
import { type FinishedSample, finishSample as record } from "@/lib/store/runs/samples";
import type { BuildOutput } from "./build-output";
import { Interrupted, RunFailure } from "./run-failure";
import { type BuiltTable, builtOf, builtTables, resultFor, storeTable } from "./run-outcome";
import { tableArtifact, textArtifacts } from "./text-artifacts";

const DAY_MS = 86_400_000;

/** Records a sample: its tables for query_run, its lock and digest with the revision, and its summary. */
export async function finishSample(output: BuildOutput): Promise<void> {
  const { lock } = builtOf(output);
  if (!lock) throw new RunFailure("sandbox_crashed", "The sample produced no lock.");
  const { dataset, document } = output.material;
  const digest = `sha256:${recipeDigest(document.tree, lock)}`;
  const tables = await builtTables(output);
  const result = await resultFor(output, tables, digest);
  const rows = tables.map(({ slug, file }) => `${slug}: ${file.rows} rows`).join(", ");
  const message = `${digest}; ${rows}; ${rejectedCells(result)} rejected cells`;
  const sample = { result, lock: canonicalJson(lock), recipeDigest: digest, message };
  if (!(await withTableLock(dataset.slug, "", () => store(output, tables, sample)))) throw new Interrupted("lost");
}

/** Holds the lock of blobs, so that none of them is removed before it is recorded. */
async function store(
  output: BuildOutput,
  tables: readonly BuiltTable[],
  sample: Pick<FinishedSample, "result" | "lock" | "recipeDigest" | "message">,
): Promise<boolean> {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + env().SAMPLE_DAYS * DAY_MS);
  for (const table of tables) await storeTable(output, table);
  const artifacts = [
    ...(await textArtifacts(output, now)),
    ...tables.map((table) => tableArtifact("sample_table", table, expiresAt)),
  ];
  return await record(output.material.run, { ...sample, artifacts, expiresAt, now });
}
