import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256Hex } from "@/lib/kernel/sha256";
import { BACKUP_FORMAT, type BackupManifest, backupManifestSchema } from "@/lib/schemas/backup";

const NAME = "manifest.json";
/** In the format that `sha256sum --check` reads. */
const CHECKSUM_NAME = "manifest.json.sha256";

/** Writes the manifest and its checksum, the last files of a backup. */
export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  await writeFile(join(folder, NAME), text, { mode: 0o600, flush: true });
  await writeFile(join(folder, CHECKSUM_NAME), `${sha256Hex(text)}  ${NAME}\n`, { mode: 0o600, flush: true });
}

/**
 * The manifest of a backup. Throws with a plain message if the folder is not a backup, or if any byte of the manifest
 * or its checksum was changed.
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  // read in sequence, so that the first missing file is the one named
  const text = await textOf(folder, NAME);
  const checksum = await textOf(folder, CHECKSUM_NAME);
  if (checksum !== `${sha256Hex(text)}  ${NAME}\n`)
    throw new Error(`The backup is damaged. ${NAME} does not match ${CHECKSUM_NAME}.`);
  const json = JSON.parse(text) as { format?: unknown };
  if (json.format !== BACKUP_FORMAT)
    throw new Error(
      `Unsupported backup format ${json.format} (expected ${BACKUP_FORMAT}). Restore it with the version of the ` +
        `service that created it.`,
    );
  const parsed = backupManifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new Error(
    `The manifest is not valid ${BACKUP_FORMAT}: ` +
      `${parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")}`,
  );
}

function textOf(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), "utf8").catch((error: NodeJS.ErrnoException) => {
    const unfinished = /\.unfinished-/.test(folder) ? " It was never completed." : "";
    throw new Error(
      `${folder} is not a backup: ${name} ` +
        `${error.code === "ENOENT" ? "is missing" : `cannot be read (${error.code})`}.${unfinished}`,
    );
  });
}
