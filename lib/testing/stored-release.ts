import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@/lib/kernel/sha256";
import { blobStore } from "@/lib/storage/blob-store";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { activateTables } from "@/lib/store/datasets/activations";
import { database } from "@/lib/store/postgres/database";
import { liveKey } from "./hosted";
import { type RecordedDataset, recordedDataset } from "./recorded-dataset";

export interface StoredTestRelease {
  versionId: string;
  tableId: string;
  digest: string;
  bytes: number;
}

/** Seals and promotes a release whose stored file is this text, since the hosted routes do not read its content. */
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

/** An activated table with a stored release, and a live key of its workspace, without any run. */
export async function hostedRelease(refresh?: object, text = "first") {
  const dataset = await recordedDataset(refresh && { refresh });
  await (await database()).prisma.dataset.update({
    where: { id: dataset.datasetId },
    data: { license: "CC0-1.0", publisher: { create: { name: dataset.slug, slug: dataset.slug } } },
  });
  const release = await storedRelease(dataset, "rows", text);
  const { datasetId: id, workspaceId, slug } = dataset;
  const request = {
    dataset: { id, slug, workspaceId },
    by: {},
    cause: { caller: "operator" as const },
    now: new Date(),
  };
  const [receipt] = await activateTables(request, ADMINISTRATOR);
  if (!receipt) throw new Error("nothing was activated");
  const { key } = await liveKey(workspaceId);
  return { dataset, release, receipt, key, path: `/api/v2/tables/${receipt.hostedId}` };
}
