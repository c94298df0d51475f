import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@/lib/kernel/sha256";
import { blobStore } from "@/lib/storage/blob-store";
import type { RecordedDataset } from "./recorded-dataset";

export interface StoredTestRelease {
  versionId: string;
  tableId: string;
  digest: string;
  bytes: number;
}

/** Seals and promotes a release whose stored file is this text: the hosted routes do not look into it. */
export async function storedRelease(
  dataset: RecordedDataset,
  table: string,
  text: string,
  at = new Date(),
): Promise<StoredTestRelease> {
  const content = { digest: sha256Hex(Buffer.from(text)), bytes: Buffer.byteLength(text) };
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  try {
    writeFileSync(join(folder, "file"), text);
    await blobStore().put(content.digest, join(folder, "file"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...(await dataset.release(table, at, undefined, content)), ...content };
}
