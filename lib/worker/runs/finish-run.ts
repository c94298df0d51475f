import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { canonicalJson } from "@/lib/builds/document/canonical";
import { recipeDigest } from "@/lib/builds/document/digests";
import { slugOf } from "@/lib/builds/document/read-recipe";
import type { PlannedSource } from "@/lib/builds/plan";
import { sourcesOfTable } from "@/lib/builds/table-sources";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { env } from "@/lib/kernel/env";
import { Failure } from "@/lib/kernel/errors";
import { isTooLarge } from "@/lib/limits/download-size";
import { whyApprovalEnded } from "@/lib/operations/approvals/approval-ends";
import { rejectedCells } from "@/lib/operations/approvals/approval-policy";
import { isRecipeApproved } from "@/lib/operations/datasets/dataset-events";
import { publishedTexts, tableTexts } from "@/lib/operations/recipes/recipe-texts";
import { changeBetween } from "@/lib/publish/change";
import { continuityBetween, type ReleaseContinuity } from "@/lib/publish/continuity";
import { profileStage } from "@/lib/publish/profile";
import { type Workbench, withWorkbench } from "@/lib/publish/workbench";
import type { SealedLineage, SealedSource } from "@/lib/schemas/lineage";
import type { AfterSeal, Reproduction, RunCheck, RunResult } from "@/lib/schemas/run";
import type { Change } from "@/lib/schemas/table";
import { blobStore } from "@/lib/storage/blob-store";
import { isRunApprovedByPerson } from "@/lib/store/approvals/approvals";
import type { Author } from "@/lib/store/audit";
import type { EventBy } from "@/lib/store/datasets/dataset-states";
import {
  type CurrentVersion,
  findCurrentVersion,
  findVersionContent,
  withTableLock,
} from "@/lib/store/datasets/versions";
import type { StoredJson, StoredJsonList } from "@/lib/store/postgres/stored-json";
import type { PromotionRequest } from "@/lib/store/releases/promotion";
import { lastSealedDigest, type SealedRow, type SealedTable, sealRun } from "@/lib/store/releases/sealing";
import { addWorkerEvent, type FinishedSample, recordSample, storeFailure } from "@/lib/store/runs/run-claims";
import { lastSealedRun, type StoredRun } from "@/lib/store/runs/runs";
import { lastSeen } from "@/lib/store/sources/source-digests";
import { recordSameRows } from "@/lib/store/sources/source-reads";
import { storeTable, tableArtifact, textArtifacts } from "./run-artifacts";
import { cleanText, RunFailure } from "./run-failure";
import {
  type BuildOutput,
  inputsOf,
  promotes,
  type RunBefore,
  type RunInputs,
  type RunMaterial,
  releaseLabel,
  repeats,
} from "./run-material";
import { type BuiltTable, builtOf, builtTables, checkOf, resultFor, standardChecks } from "./run-result";

/** Records what a stage made: a sample, the same rows as before, or sealed versions; a failed build throws its failure. */
export async function finishRun(output: BuildOutput, before: RunBefore | undefined): Promise<void> {
  const { material, plan, outcome } = output;
  if (outcome.build?.failure) await storeFailed(output);
  if (material.mode === "sample") return await finishSample(output);
  const inputs = inputsOf(plan.sources, outcome);
  if (before) await recordSame(material, before, inputs.rows);
  if (before && outcome.build === null) await sealUnchanged(material, before, { inputs, sources: plan.sources });
  else await finishFull(output, inputs);
}

const DAY_MS = 86_400_000;

/** Records a sample: its tables for query_run, its lock and digest with the revision, and its summary. */
async function finishSample(output: BuildOutput): Promise<void> {
  const { lock } = builtOf(output);
  if (!lock) throw new RunFailure("sandbox_crashed", "The sample produced no lock.");
  const { dataset, document } = output.material;
  const digest = `sha256:${recipeDigest(document.tree, lock)}`;
  const tables = await builtTables(output);
  const result = await resultFor(output, tables, digest);
  const rows = tables.map(({ slug, file }) => `${slug}: ${file.rows} rows`).join(", ");
  const message = `${digest}; ${rows}; ${rejectedCells(result)} rejected cells`;
  const sample = { result, lock: canonicalJson(lock), recipeDigest: digest, message };
  await withTableLock(dataset.slug, "", () => storeSample(output, tables, sample));
}

/** Holds the lock of blobs, so that none of them is removed before it is recorded. */
async function storeSample(
  output: BuildOutput,
  tables: readonly BuiltTable[],
  sample: Pick<FinishedSample, "result" | "lock" | "recipeDigest" | "message">,
): Promise<void> {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + env().SAMPLE_DAYS * DAY_MS);
  const artifacts = await storeAll(output, tables, { kind: "sample_table", expiresAt }, now);
  await recordSample(output.material.run, { ...sample, artifacts, expiresAt, now });
}

/** Stores a build's tables, and its texts; returns both as the run's artifacts. */
async function storeAll(
  output: BuildOutput,
  tables: readonly BuiltTable[],
  { kind, expiresAt }: { kind: "sample_table" | "candidate_table"; expiresAt: Date },
  now: Date,
) {
  for (const table of tables) await storeTable(output, table);
  return [...(await textArtifacts(output, now)), ...tables.map((table) => tableArtifact(kind, table, expiresAt))];
}

/**
 * Stores what a build produced that failed because of its data: checks, rejects, and the tables that it would have
 * sealed, so that somebody can inspect the rows. Whether another worker has the run is detected when its failure is
 * written.
 */
async function storeFailed(output: BuildOutput): Promise<void> {
  const { run, dataset } = output.material;
  const tables = await builtTables(output);
  const result = await resultFor(output, tables, null);
  await withTableLock(dataset.slug, "", async () => {
    const now = new Date();
    const expiresAt = new Date(now.getTime() + env().ARTIFACT_DAYS * DAY_MS);
    const artifacts = await storeAll(output, tables, { kind: "candidate_table", expiresAt }, now);
    await storeFailure(run, { result, artifacts, now });
  });
}

const SERVICE: Author = { actor: "service" };

/** Seals the results of a full run in one transaction: versions, releases, and the approved next steps. */
async function finishFull(output: BuildOutput, inputs: RunInputs): Promise<void> {
  const { run, dataset, revision } = output.material;
  builtOf(output);
  const tables = await builtTables(output);
  const standard = await standardChecksOf(output);
  const own = await resultFor(output, tables, run.recipeDigest);
  const reproduces = await reproduction(output.material, tables);
  const result = { ...own, checks: [...own.checks, ...standard], ...(reproduces && { reproduces }) };
  const now = new Date();
  await warnTooLarge(output, tables, now);
  const ended = await whyEnded(output, now);
  const cause = await causeOf(output.material, now);
  await withTableLock(dataset.slug, "", async () => {
    const artifacts = await textArtifacts(output, now);
    const sealed: SealedTable[] = [];
    for (const table of tables) sealed.push(await sealedTable(output, table, standard));
    const sealing = {
      run: { id: run.id, fence: run.fence, datasetId: dataset.id, revisionId: revision.id },
      tables: sealed,
      label: releaseLabel(output.material, output.plan.sources),
      plan: { ...(run.plan as object), sources: output.plan.sources, inputs } as unknown as StoredJson,
      artifacts,
      result: (rows: readonly { slug: string; versionId: string | null }[]) =>
        resultWith(result, sealed, rows, repeats(output.material) ? resultOf(output.material.replayed) : undefined),
      promote: (rows: readonly SealedRow[]) =>
        ended === undefined ? promotionOf(output, rows, cause, now) : undefined,
      now,
    };
    await sealRun(sealing, SERVICE).catch((error: unknown) => {
      // of the reasons to reject a promotion, this is the only one possible in a first run
      if (error instanceof Failure && error.code === "conflict") throw new RunFailure("publisher_taken", error.message);
      throw error;
    });
  });
}

/** Why something that the run read ended its approval, which is reported. The result is sealed but not made current. */
async function whyEnded({ material }: BuildOutput, now: Date): Promise<string | undefined> {
  const { run, revision } = material;
  const { approvedAt, document, datasetId } = revision;
  if (approvedAt === null || !promotes(material)) return undefined;
  const why = await whyApprovalEnded({ datasetId, approvedAt, document }, run.workspaceId, now);
  if (why === undefined) return undefined;
  const message = `${why} The result is sealed, but not automatically made current.`;
  await addWorkerEvent(run, { kind: "warning", message: cleanText(message), data: { warning: "approval_ended" } }, now);
  return why;
}

/** Warns now, rather than at the first download: neither readers nor the hosted table API get a file of this size. */
async function warnTooLarge(
  { material: { run } }: BuildOutput,
  tables: readonly BuiltTable[],
  now: Date,
): Promise<void> {
  for (const { slug, bytes } of tables)
    if (isTooLarge(bytes))
      await addWorkerEvent(
        run,
        {
          kind: "warning",
          message: `${slug} has ${bytes} bytes, too large to be downloaded: the API and the hosted table API reply 413`,
          data: { warning: "hosted_too_large", table: slug, bytes },
        },
        now,
      );
}

/** The warnings that every full run gets. */
async function standardChecksOf(output: BuildOutput): Promise<RunCheck[]> {
  const { document, dataset } = output.material;
  const last = await lastSealedRun(dataset.id);
  return standardChecks(document.recipe, builtOf(output), resultOf(last));
}

/** A table with its profile and its changes. Its blob is stored if it is new. */
async function sealedTable(
  output: BuildOutput,
  table: BuiltTable,
  standard: readonly RunCheck[],
): Promise<SealedTable> {
  const { revision, document } = output.material;
  const build = builtOf(output);
  const texts = tableTexts(revision.document).get(table.slug);
  if (!texts) throw new Error(`The recipe has no table ${table.slug}`);
  const { change, continuity, profilesJson } = await compareAndProfile(output.material, table);
  if (change !== undefined) await storeTable(output, table);
  const own = [...build.checks.map(checkOf), ...standard].filter((check) => check.table === table.name);
  const orderBy = document.recipe.tables.find(({ name }) => name === table.name)?.order_by ?? [];
  const { digest, bytes, columns, file } = table;
  return {
    slug: table.slug,
    ...texts,
    rows: file.rows,
    checks: own as unknown as StoredJsonList,
    warnings: own.filter(({ severity, outcome }) => severity === "warn" && outcome === "failed").length,
    lineage: JSON.stringify(await lineageOf(output, table.name)),
    dataThrough: file.dataThrough,
    continuity,
    version:
      change === undefined
        ? null
        : { digest, bytes, columns, profilesJson, orderBy, primaryKey: file.primaryKey, change },
  };
}

/**
 * The profile of a file's columns, and what it changes compared with the current version, or with the version that a
 * replay reproduces (nothing if undefined), and how it continues that version.
 */
function compareAndProfile(
  material: RunMaterial,
  { slug, path, digest, columns, file }: BuiltTable,
): Promise<{ change: Change | undefined; continuity: ReleaseContinuity; profilesJson: string }> {
  return withWorkbench(async (bench) => {
    const current = repeats(material)
      ? await reproducedVersion(material, slug)
      : await findCurrentVersion(material.dataset.slug, slug);
    const after = { path, columns, rows: file.rows, primaryKey: file.primaryKey };
    if (current?.digest === digest || (await isSealedAlready(material, slug, digest)))
      return { change: undefined, continuity: "not_assessed", profilesJson: "{}" };
    const timeColumn = material.document.recipe.tables.find((table) => slugOf(table) === slug)?.time_column;
    const compared = current
      ? await blobStore().withLocalPath(current.digest, (path) =>
          compareFiles(bench, { ...current, path }, after, timeColumn),
        )
      : FIRST;
    const profilesJson = compared.change === undefined ? "{}" : await profileFile(bench, after);
    return { ...compared, profilesJson };
  });
}

/** Whether a refresh made again what was sealed last and is not current, such as what somebody rolled back from. */
const isSealedAlready = async ({ run, dataset }: RunMaterial, slug: string, digest: string): Promise<boolean> =>
  run.kind === "refresh" && (await lastSealedDigest(dataset.id, slug)) === digest;

const FIRST = { change: "first", continuity: "first_release" } as const;
type Compared = Parameters<typeof changeBetween>[1];

async function compareFiles(bench: Workbench, before: Compared, after: Compared, timeColumn: string | undefined) {
  const change = await changeBetween(bench, before, after);
  const continuity = change && (await continuityBetween(bench, before, after, { change, timeColumn }));
  return { change, continuity: continuity ?? ("not_assessed" as const) };
}

async function profileFile(
  bench: Workbench,
  { path, columns, rows }: Pick<BuiltTable, "path" | "columns"> & { rows: number },
) {
  const cells = columns.map(({ name }, at) => `${quoteIdentifier(name)} AS c${at}`).join(", ");
  await bench.run(`CREATE OR REPLACE TABLE stage AS SELECT ${cells} FROM read_parquet(${quoteLiteral(path)})`);
  return profileStage(bench, { columns: columns.map(({ name, type }) => ({ name, type })), rows });
}

function resultWith(
  result: RunResult,
  sealed: readonly SealedTable[],
  rows: readonly { slug: string; versionId: string | null }[],
  replayed: RunResult | undefined,
): StoredJson {
  const tables = result.tables.map((table) => {
    const version = sealed.find(({ slug }) => slug === table.table)?.version ?? null;
    const repeated = replayed?.tables.find(({ table: slug }) => slug === table.table)?.version_id;
    const again = version === null ? repeated : undefined;
    const versionId = again ?? rows.find(({ slug }) => slug === table.table)?.versionId ?? null;
    const outcome = version === null ? ("unchanged" as const) : ("released" as const);
    return {
      ...table,
      outcome,
      ...(version && { change: version.change }),
      ...(versionId && { version_id: versionId }),
    };
  });
  return { ...result, tables } as unknown as StoredJson;
}

/** What was decided about showing the run's result, before the run or as part of its approval. */
async function causeOf({ run, dataset, revision }: RunMaterial, now: Date): Promise<EventBy> {
  return {
    caller: "service",
    isRecipeApproved: await isRecipeApproved(dataset, { ...revision, recipeDigest: run.recipeDigest }, now),
    isOwnerApproved: await isRunApprovedByPerson(run.id),
  };
}

/** What is made current with the sealing: what was approved together, or a refresh of what is already current. */
function promotionOf(
  { material }: BuildOutput,
  rows: readonly SealedRow[],
  cause: EventBy,
  now: Date,
): PromotionRequest | undefined {
  const { run, dataset, revision } = material;
  if (!promotes(material)) return undefined;
  const after = run.afterSeal as AfterSeal | null;
  const tables = rows.flatMap(({ tableId, slug, versionId, name, description, license, position }) =>
    versionId === null ? [] : [{ tableId, slug, versionId, name, description, license, position }],
  );
  return {
    dataset: { id: dataset.id, slug: dataset.slug, workspaceId: run.workspaceId },
    tables,
    texts: publishedTexts(revision.document),
    publishes: after?.promote === "public",
    activate: after?.activate === true,
    cause,
    keepsRolledBack: after === null,
    runId: run.id,
    by: { kind: "service", run_id: run.id },
    publishedAt: material.installed && new Date(material.installed.at),
    now,
  };
}

/** The recorded lineage of a table: the origins of its columns, and every source with its bytes. */
async function lineageOf(output: BuildOutput, table: string): Promise<SealedLineage> {
  const { plan, material } = output;
  const names = sourcesOfTable(material.document.recipe, table);
  const columns = builtOf(output).lineage.find((lineage) => lineage.table === table)?.columns ?? {};
  const planned = plan.sources.filter(({ name }) => names.includes(name));
  const sources = await Promise.all(planned.map((source) => sealedSource(output, source)));
  const { duckdb, readers } = plan.engine;
  return { table, columns, sources, engine: { duckdb, readers } };
}

/** Raw files are named by their SHA-256. */
async function sealedSource({ folder, material }: BuildOutput, { name, parts }: PlannedSource): Promise<SealedSource> {
  const read = await Promise.all(
    parts.map(async ({ partition, file }) => {
      const { size } = await stat(join(folder, file));
      return { partition, digest: basename(file), bytes: size };
    }),
  );
  const digests = [...new Set(read.map(({ digest }) => digest))];
  const seen = [...(await lastSeen(material.dataset.id, digests)).values()];
  const at = seen.length > 0 ? new Date(Math.max(...seen.map((time) => time.getTime()))) : material.now;
  return { name, read_at: at.toISOString(), parts: read };
}

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

/** Records for sources with new bytes that their rows are the same. */
async function recordSame({ run }: RunMaterial, before: RunBefore, rows: RunInputs["rows"]): Promise<void> {
  const same = Object.entries(rows).filter(([name, digest]) => before.inputs.rows[name] === digest);
  await recordSameRows(
    run.id,
    same.map(([name]) => name),
  );
}

/**
 * The same for a run whose sources sent the bytes of the preceding run. Whatever came in between was never sealed, so
 * it does not change what is current.
 */
export async function sealSameBytes(
  material: RunMaterial,
  before: RunBefore,
  sources: readonly PlannedSource[],
): Promise<void> {
  await recordSameRows(
    material.run.id,
    sources.map(({ name }) => name),
  );
  await sealUnchanged(material, before, { inputs: before.inputs, sources });
}

/**
 * Ends a run whose sources have the same rows as in the preceding run: nothing is built, and what is current remains.
 */
async function sealUnchanged(
  material: RunMaterial,
  { result }: RunBefore,
  read: { inputs: RunInputs; sources: readonly PlannedSource[] },
): Promise<void> {
  const { run, dataset, revision } = material;
  const tables = result.tables.map(({ change: _, ...table }) => ({ ...table, outcome: "unchanged" as const }));
  const sealing = {
    run: { id: run.id, fence: run.fence, datasetId: dataset.id, revisionId: revision.id },
    ...{ tables: [], artifacts: [], message: "every source has the same rows as in the previous run" },
    label: releaseLabel(material, read.sources),
    unchanged: tables.flatMap(({ version_id }) => version_id ?? []),
    plan: { ...(run.plan as object), ...read } as unknown as StoredJson,
    result: () => ({ ...result, tables }) as unknown as StoredJson,
    now: new Date(),
  };
  await sealRun(sealing, SERVICE);
}
