import { constants } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { PlannedSource } from "@/lib/builds/plan";
import { fileDigest } from "@/lib/kernel/file-digest";
import { takeSnapshot } from "@/lib/sources/snapshots";
import { blobStore } from "@/lib/storage/blob-store";
import type { StoredRun } from "@/lib/store/builds/runs";
import type { Reading } from "./read-sources";
import { RunFailure } from "./run-failure";

/** The bytes that a full run read, by the names kept in its plan. Throws snapshot_missing, naming the source. */
export async function replaySources(
  { material, folder, pulse, say }: Reading,
  replayed: StoredRun,
): Promise<PlannedSource[]> {
  const { sources = [] } = replayed.plan as unknown as { sources?: PlannedSource[] };
  const planned = material.document.recipe.sources.map(({ name }, at) => {
    const kept = sources.find((source) => source.name === name);
    if (!kept) throw gone(name, replayed);
    return { ...kept, ordinal: at + 1 };
  });
  for (const { name, parts } of planned) {
    pulse.signal.throwIfAborted();
    for (const { file } of parts) if (!(await takeKept(basename(file), join(folder, file)))) throw gone(name, replayed);
    const message = `${name}: ${parts.length} kept ${parts.length === 1 ? "file" : "files"} of run ${replayed.id}`;
    await say({ kind: "source_unchanged", message, data: { source: name, replayed: replayed.id } });
  }
  return planned;
}

/** Takes a source's snapshot, or the file of a published table, verified by its digest. */
async function takeKept(digest: string, to: string): Promise<boolean> {
  if (await takeSnapshot(digest, to)) return true;
  if (!(await blobStore().stat(digest))) return false;
  await blobStore().withLocalPath(digest, (path) => copyFile(path, to, constants.COPYFILE_FICLONE));
  return (await fileDigest(to)) === digest;
}

const gone = (source: string, { finishedAt, createdAt }: StoredRun): RunFailure => {
  const day = (finishedAt ?? createdAt).toISOString().slice(0, 10);
  return new RunFailure("snapshot_missing", `The bytes of ${source} of ${day} are gone.`, { source });
};
