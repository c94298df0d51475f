import { changeBetween } from "@/lib/publish/change";
import { withWorkbench } from "@/lib/publish/workbench";
import type { Reproduction, RunResult } from "@/lib/schemas/run";
import { blobStore } from "@/lib/storage/blob-store";
import { type CurrentVersion, findVersionContent } from "@/lib/store/datasets/versions";
import type { StoredRun } from "@/lib/store/runs/runs";
import { type RunMaterial, repeats } from "./run-material";
import type { BuiltTable } from "./run-outcome";

/** The result of a run; undefined before it ended. */
export const resultOf = (run: Pick<StoredRun, "sample"> | undefined): RunResult | undefined =>
  (run?.sample as unknown as RunResult | null) ?? undefined;

/** The version of a table that the repeated run sealed, or found unchanged. */
export async function reproducedVersion({ replayed }: RunMaterial, slug: string): Promise<CurrentVersion | undefined> {
  const versionId = resultOf(replayed)?.tables.find(({ table }) => table === slug)?.version_id;
  return versionId === undefined ? undefined : await findVersionContent(versionId);
}

/** Whether a replay reproduced the same result, table by table; undefined if the run repeats none. */
export async function reproduction(
  material: RunMaterial,
  tables: readonly BuiltTable[],
): Promise<Reproduction[] | undefined> {
  if (!repeats(material)) return undefined;
  const expected = resultOf(material.replayed)?.tables ?? [];
  const results: Reproduction[] = [];
  for (const table of tables) {
    const digest = expected.find((each) => each.table === table.slug)?.content_digest;
    if (digest === undefined) continue;
    const content = `sha256:${table.digest}`;
    const verdict =
      digest === content ? "same_bytes" : await verdictOf(table, await reproducedVersion(material, table.slug));
    results.push({ table: table.slug, expected_digest: digest, content_digest: content, verdict });
  }
  return results;
}

/** A different engine may write different bytes for the same rows. */
async function verdictOf(
  { path, columns, file }: BuiltTable,
  before: CurrentVersion | undefined,
): Promise<Reproduction["verdict"]> {
  if (!before || !(await blobStore().stat(before.digest))) return "different";
  const after = { path, columns, rows: file.rows, primaryKey: file.primaryKey };
  const change = await withWorkbench((bench) =>
    blobStore().withLocalPath(before.digest, (was) => changeBetween(bench, { ...before, path: was }, after)),
  );
  return change === undefined ? "same_content" : "different";
}
