import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { env } from "@/lib/kernel/env";
import { whenMissing } from "@/lib/kernel/missing-file";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { BackupFile } from "@/lib/schemas/backup";
import { keyRingPath, secretPath } from "@/lib/storage/paths";

const PRIVATE = { mode: 0o600, flag: "wx", flush: true } as const;

const keyFiles = () => [secretPath(), keyRingPath()];

/** Copies the files of generated secrets into a backup. Secrets given as settings have no files. */
export async function copyKeysOut(folder: string): Promise<BackupFile[]> {
  await mkdir(join(folder, "keys"), { mode: 0o700 });
  const copied: BackupFile[] = [];
  for (const path of keyFiles()) {
    const content = await readFile(path).catch(whenMissing(undefined));
    if (!content) continue;
    const file = `keys/${basename(path)}`;
    await writeFile(join(folder, file), content, PRIVATE);
    copied.push({ file, bytes: content.length, sha256: sha256Hex(content) });
  }
  return copied;
}

/** The names among `files` that this service does not know. */
export function unknownKeys(files: readonly BackupFile[]): string[] {
  const known = new Set(keyFiles().map((path) => `keys/${basename(path)}`));
  return files.map(({ file }) => file).filter((file) => !known.has(file));
}

/** Copies the files from a backup into the data folder. */
export async function copyKeysIn(folder: string, files: readonly BackupFile[]): Promise<void> {
  for (const { file } of files)
    await writeFile(join(env().PARQUETRY_DATA_DIR, basename(file)), await readFile(join(folder, file)), PRIVATE);
}
