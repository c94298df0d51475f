import { constants } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { slugOf } from "@/lib/builds/document/read-recipe";
import { withProvenPath } from "@/lib/storage/read-blob";
import type { RunMaterial } from "./run-material";

/**
 * Copies the current releases into the run's folder. Never links them, which would share their bytes with the sandbox.
 */
export async function copyPrevious(
  { dataset, document }: RunMaterial,
  folder: string,
): Promise<Record<string, string>> {
  const previous: Record<string, string> = {};
  await mkdir(join(folder, "prev"), { recursive: true });
  for (const [at, table] of document.recipe.tables.entries()) {
    const current = dataset.tables.find(({ slug }) => slug === slugOf(table))?.currentVersion;
    if (!current || table.internal) continue;
    const file = join("prev", `${at}.parquet`);
    const blob = { digest: current.digest, bytes: Number(current.bytes) };
    await withProvenPath(blob, (path) => copyFile(path, join(folder, file), constants.COPYFILE_FICLONE));
    previous[table.name] = file;
  }
  return previous;
}
