import { randomUUID } from "node:crypto";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import { database } from "@/lib/store/postgres/database";
import { newWorkspace } from "./workspace";

/** A dataset as stored in the database after a recipe was approved, without any run having been executed. */
export interface RecordedDataset {
  datasetId: string;
  workspaceId: string;
  revisionId: string;
  slug: string;
  /** Records a run that read sources: each by name, with the results for its pieces. */
  read(
    at: Date,
    pieces: readonly RecordedPiece[],
    run?: { kind?: "build" | "refresh"; failed?: boolean },
  ): Promise<void>;
  /** Records what a run of it read. */
  observe(at: Date, pieces: readonly RecordedPiece[], runId: string): Promise<void>;
  /** Seals a release of a table, which becomes current. */
  release(
    slug: string,
    at: Date,
    dataThrough?: string,
    content?: ReleaseContent,
  ): Promise<{ tableId: string; versionId: string }>;
}

/** A file that is stored. */
export interface ReleaseContent {
  digest: string;
  bytes: number;
}

export interface RecordedPiece {
  source: string;
  how: "first" | "not_modified" | "same_bytes" | "same_rows" | "new_rows" | "failed";
  partition?: string;
  /** Of its bytes. */
  digest?: string;
}

/** Of a recipe: what differs from one table of one source. */
export interface RecipeSketch {
  sources?: readonly object[];
  tables?: readonly object[];
  refresh?: object;
  publish?: object;
}

export const httpSource = (name: string, more: object = {}) => ({
  ...{ name, kind: "http", url: `https://data.example.org/${name}.csv`, reader: { format: "csv" } },
  ...more,
});

export function recipeText({ sources = [httpSource("source")], tables, refresh, publish }: RecipeSketch = {}): string {
  const columns = [{ name: "id", type: "int64" }];
  return JSON.stringify({
    schema_version: "service-recipe.v1",
    sources,
    tables: tables ?? [{ name: "rows", from: "source", columns, order_by: ["id"] }],
    ...(refresh && { refresh }),
    publish: { license: "CC0-1.0", publisher: { name: "Office" }, ...publish },
  });
}

/** Records an approved recipe of a new paid workspace's dataset. */
export async function recordedDataset(
  sketch: RecipeSketch = {},
  approvedAt = new Date("2026-01-01T00:00Z"),
): Promise<RecordedDataset> {
  const { prisma } = await database();
  const { workspaceId } = await newWorkspace();
  await prisma.workspace.update({ where: { id: workspaceId }, data: { plan: "paid" } });
  const slug = `d-${randomUUID()}`;
  const texts = { slug, title: slug, summary: "", description: "", sources: [] };
  const { id: datasetId } = await prisma.dataset.create({
    data: { ...texts, visibility: "private", workspaceId, build: { create: { workspaceId } } },
  });
  const { canonical, documentDigest } = readRecipe(recipeText(sketch));
  const { id: revisionId } = await prisma.recipeRevision.create({
    data: {
      ...{ datasetId, number: 1, document: canonical, documentDigest, recipeDigest: `sha256:${documentDigest}` },
      ...{ lock: "{}", origin: "registered", state: "approved", actor: {}, createdAt: approvedAt, approvedAt },
    },
  });
  const ids = { datasetId, workspaceId, revisionId };
  return {
    ...ids,
    slug,
    read: (at, pieces, run) => recordRead(ids, at, pieces, run),
    observe: (at, pieces, runId) => recordPieces(ids, at, pieces, runId),
    release: (table, at, dataThrough, content) => recordRelease(ids, { table, content }, at, dataThrough),
  };
}

type Ids = Pick<RecordedDataset, "datasetId" | "workspaceId" | "revisionId">;

async function recordRun(ids: Ids, at: Date, { kind = "refresh" as const, failed = false } = {}): Promise<string> {
  const { prisma } = await database();
  const ended = { state: failed ? ("failed" as const) : ("sealed" as const), finishedAt: at };
  const empty = { plan: {}, progress: {}, createdBy: {} };
  const run = { ...ids, ...ended, ...empty, kind: kind as "build" | "refresh", createdAt: at };
  return (await prisma.run.create({ data: { ...run, trigger: "schedule" } })).id;
}

async function recordRead(
  ids: Ids,
  at: Date,
  pieces: readonly RecordedPiece[],
  run: { kind?: "build" | "refresh"; failed?: boolean } = {},
): Promise<void> {
  await recordPieces(ids, at, pieces, await recordRun(ids, at, run as { kind?: "refresh" }));
}

async function recordPieces(ids: Ids, at: Date, pieces: readonly RecordedPiece[], runId: string): Promise<void> {
  const { prisma } = await database();
  await prisma.sourceObservation.createMany({
    data: pieces.map(({ source, how, partition = null, digest = null }) => ({
      ...{ datasetId: ids.datasetId, source, partition, at, runId, rawDigest: digest, ms: 1 },
      ...(how === "failed"
        ? { outcome: "failed" as const, how: "first", failureCode: "source_timeout" }
        : { outcome: "ok" as const, how, changed: how === "first" || how === "new_rows" }),
    })),
  });
}

async function recordRelease(
  ids: Ids,
  { table: slug, content }: { table: string; content: ReleaseContent | undefined },
  at: Date,
  dataThrough?: string,
): Promise<{ tableId: string; versionId: string }> {
  const { prisma } = await database();
  const runId = await recordRun(ids, at);
  const where = { datasetId_slug: { datasetId: ids.datasetId, slug } };
  const texts = { datasetId: ids.datasetId, slug, name: slug, description: "" };
  const { id: tableId } = await prisma.table.upsert({ where, create: texts, update: {} });
  const sequence = 1 + (await prisma.version.count({ where: { tableId } }));
  const { id: versionId } = await prisma.version.create({
    data: {
      ...{ tableId, sequence, rows: 1 },
      ...(content ?? { digest: randomUUID().replaceAll("-", "").repeat(2), bytes: 1 }),
      ...{ columns: [], profiles: {}, orderBy: [], change: "first", publishedAt: at },
    },
  });
  await prisma.table.update({ where: { id: tableId }, data: { currentVersionId: versionId } });
  const through = dataThrough === undefined ? null : new Date(`${dataThrough}T00:00:00Z`);
  const release = { tableId, versionId, runId, revisionId: ids.revisionId, sealedAt: at, dataThrough: through };
  await prisma.release.create({ data: { ...release, checks: [], lineage: "{}" } });
  await prisma.promotion.create({ data: { tableId, versionId, at, by: {}, reason: "promoted" } });
  return { tableId, versionId };
}
