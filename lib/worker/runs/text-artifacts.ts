import { join } from "node:path";
import { CSV_MEDIA } from "@/lib/formats/csv-media";
import { PARQUET_MEDIA } from "@/lib/formats/parquet-media";
import { env } from "@/lib/kernel/env";
import { replaceFile } from "@/lib/kernel/whole-file";
import { artifactStore } from "@/lib/storage/blob-store";
import type { NewArtifact } from "@/lib/store/runs/artifacts";
import type { BuildOutput } from "./build-output";
import { leftOutTable, rejectsTable } from "./rejects-table";
import { type BuiltTable, rejectsCsv, textDigest } from "./run-outcome";
import { recordStored } from "./unrecorded";

const DAY_MS = 86_400_000;

interface Text {
  kind: NewArtifact["kind"];
  name: string;
  mediaType: string;
  text: string;
}

/**
 * Writes a stage's artifacts other than tables, under the lock of its dataset: recipe, plan, checks, rejects, lineage.
 */
export async function textArtifacts(
  { material, folder, plan, outcome }: BuildOutput,
  now: Date,
): Promise<NewArtifact[]> {
  const json = "application/json";
  const { build } = outcome;
  const texts: Text[] = [
    { kind: "recipe", name: "recipe.json", mediaType: json, text: material.document.canonical },
    { kind: "plan", name: "plan.json", mediaType: json, text: JSON.stringify({ ...plan, recipe: undefined }) },
    { kind: "checks", name: "checks.json", mediaType: json, text: JSON.stringify(build?.checks ?? []) },
    { kind: "lineage", name: "lineage.json", mediaType: json, text: JSON.stringify(build?.lineage ?? []) },
    { kind: "rejects", name: "rejects.csv", mediaType: CSV_MEDIA, text: rejectsCsv(build?.rejects ?? []) },
  ];
  const expiresAt = new Date(now.getTime() + env().ARTIFACT_DAYS * DAY_MS);
  const rejects = await rejectsTable(folder, build?.rejects ?? [], expiresAt);
  const leftOut = await leftOutTable(folder, outcome, expiresAt);
  const written = await Promise.all(texts.map((text) => writeText(folder, text, expiresAt)));
  return [...written, rejects ?? [], leftOut ?? []].flat();
}

async function writeText(folder: string, { text, ...artifact }: Text, expiresAt: Date): Promise<NewArtifact> {
  const { digest, bytes } = textDigest(text);
  await recordStored(folder, digest);
  const path = join(folder, `${artifact.name}.text`);
  replaceFile(path, text, 0o600);
  await artifactStore().put(digest, path);
  return { ...artifact, digest, bytes, expiresAt };
}

/** A table that only members can query, for as long as the sample is kept. */
export const tableArtifact = (
  kind: "sample_table" | "candidate_table",
  { slug, digest, bytes, columns, file }: BuiltTable,
  expiresAt: Date,
): NewArtifact => ({
  ...{ kind, table: slug, name: `${slug}.parquet`, mediaType: PARQUET_MEDIA },
  ...{ digest, bytes, columns, rows: file.rows, expiresAt },
});
