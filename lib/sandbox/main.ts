import { readFileSync, writeSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "lossless-json";
import { partColumns } from "@/lib/builds/part-columns";
import type { BuildPlan, BuiltFile } from "@/lib/builds/plan";
import { runBuild } from "@/lib/builds/run-build";
import { fileDigest } from "@/lib/kernel/file-digest";
import { ReadFailure } from "@/lib/readers/failure";
import { type Reader, readerSchema } from "@/lib/schemas/recipe-reader";
import { type Archive, sourceLimitsSchema } from "@/lib/schemas/recipe-source";
import { withBench } from "./bench";
import { decodeSource } from "./decode-source";
import {
  type DecodedSource,
  FAILED_EXIT,
  LINE_CHARACTERS_MAX,
  OUTCOME_FILE,
  PLAN_FILE,
  type SandboxEvent,
  SandboxFailure,
  type SandboxFailureCode,
  type SandboxOutcome,
  type SealedDigest,
} from "./events";

import { inspectSource } from "./inspect-source";
import { comparingOf } from "./stated-records";
import { completeReader } from "./tried-reader";

// biome-ignore lint/style/noProcessEnv: the only value passed by its parent; there are no settings here
const folder = process.env.PARQUETRY_RUN_FOLDER ?? "";

/** A message may name what is in a file, of any length. */
const MESSAGE_CHARACTERS = 4000;

/** Synchronous, so that the last line is written before the process ends. */
const say = (event: SandboxEvent): void => void writeSync(1, `${JSON.stringify(event)}\n`);

async function work(plan: BuildPlan): Promise<SandboxOutcome> {
  for (const name of ["cells", "unpacked", "out", "spill"]) await mkdir(join(folder, name), { recursive: true });
  const { engine, limits, inspect } = plan;
  return await withBench(folder, { memoryMb: engine.memoryMb, diskMb: limits.diskMb }, async (bench) => {
    if (inspect) return { sources: [], build: null, sealed: [], inspection: await inspectSource(bench, plan, inspect) };
    const recipe = parse(plan.recipe) as RecipeDocument;
    const sources: DecodedSource[] = [];
    for (const source of plan.sources) {
      const described = recipe.sources.find(({ name }) => name === source.name);
      const reader = described?.reader === undefined ? PARQUET : readerOf(described.reader);
      const archive = archiveOf(described);
      const own = { ...plan, limits: limitsOf(plan, described) };
      const partColumns = partsOf(described);
      const comparing = comparingOf(described);
      const decoded = await decodeSource({ plan: own, source, reader, archive, bench, partColumns, comparing });
      sources.push(decoded);
      say({ decoded: bounded(decoded) });
    }
    if (recipe.tables === undefined || isUnchanged(plan, sources)) return { sources, build: null, sealed: [] };
    const build = await runBuild(bench, plan, sources, (event) => {
      if (!("failed" in event || "done" in event)) say(event); // a failed build has an outcome too
    });
    return { sources, build, sealed: await sealedFiles(folder, build.files) };
  });
}

const isUnchanged = ({ unchangedIf }: BuildPlan, sources: readonly DecodedSource[]): boolean =>
  unchangedIf !== undefined && sources.every(({ name, rowsDigest }) => unchangedIf[name] === rowsDigest);

interface RecipeDocument {
  sources: DescribedSource[];
  /** Absent if sources are only decoded. */
  tables?: unknown;
}

type DescribedSource = Parameters<typeof comparingOf>[0] & {
  name: string;
  reader?: unknown;
  archive?: unknown;
  limits?: unknown;
  /** For sources of kind package. */
  path?: string;
  paths?: string;
};

/** For sources of kind table: files sealed by this service are read in the same way as untrusted ones. */
const PARQUET: Reader = { format: "parquet", options: {} };

const readerOf = (document: unknown): Reader => completeReader(readerSchema.parse(document));

/** A stored document was already checked. Defaults of nested options are filled in where they are read. */
const partsOf = (source: DescribedSource | undefined) =>
  source ? partColumns(source as Parameters<typeof partColumns>[0]) : [];

/** A source's own limits lower the run's, and never raise them. */
function limitsOf({ limits }: BuildPlan, source: DescribedSource | undefined): BuildPlan["limits"] {
  const { rows = Infinity, unpacked_bytes: bytes = Infinity } = sourceLimitsSchema.parse(source?.limits ?? {});
  return { ...limits, rows: Math.min(limits.rows, rows), unpackedBytes: Math.min(limits.unpackedBytes, bytes) };
}

/** A package is a tar whose members are below `package/`. */
function archiveOf(source: DescribedSource | undefined): Archive | undefined {
  if (source?.kind === "package")
    return { kind: "tar", member: `package/${source.path ?? source.paths}`, expect: source.path ? "one" : "many" };
  return source?.archive === undefined
    ? undefined
    : { kind: "auto", expect: "one", ...(source.archive as Pick<Archive, "member">) };
}

/** Keeps lines short, however long names and cells are; the outcome has the complete data. */
function bounded(decoded: DecodedSource): DecodedSource {
  const short = {
    ...decoded,
    columns: decoded.columns.slice(0, 100),
    parts: decoded.parts.slice(0, 20),
    partDigests: decoded.partDigests.slice(0, 20),
    leftOut: decoded.leftOut.map((each) => ({ ...each, examples: each.examples.slice(0, 3) })),
  };
  const isShort = JSON.stringify({ decoded: short }).length <= LINE_CHARACTERS_MAX;
  return isShort ? short : { ...short, columns: [], parts: [], partDigests: [], leftOut: [] };
}

/** The failure for a resource that ran out. Any other error is a defect. */
function named(error: unknown): ReadFailure<SandboxFailureCode> | ReadFailure | undefined {
  if (error instanceof ReadFailure) return error;
  const text = error instanceof Error ? `${(error as NodeJS.ErrnoException).code ?? ""} ${error.message}` : "";
  if (/ENOSPC|EFBIG|EDQUOT|No space left|File too large|max_temp_directory_size/i.test(text))
    return new SandboxFailure("disk_exceeded", "The run exceeded its disk space limit.");
  if (/Out of Memory Error|ENOMEM/i.test(text))
    return new SandboxFailure("memory_exceeded", "The run exceeded its memory limit.");
  return undefined;
}

// The parent holds the other end of the input and enforces this process's limits: without a parent it ends immediately.
process.stdin.once("end", () => process.kill(process.pid, "SIGKILL")).resume();
(process.stdin as { unref?(): void }).unref?.();

// runs last, once everything above is defined
try {
  const outcome = await work(JSON.parse(readFileSync(join(folder, PLAN_FILE), "utf8")) as BuildPlan);
  await writeFile(join(folder, OUTCOME_FILE), JSON.stringify(outcome));
  say({ done: true });
} catch (error) {
  const failure = named(error);
  if (!failure) throw error;
  say({ failed: { code: failure.code, message: failure.message.slice(0, MESSAGE_CHARACTERS), at: failure.at } });
  process.exitCode = FAILED_EXIT;
}

/** Digests of the files that a build made. */
export async function sealedFiles(folder: string, files: readonly BuiltFile[]): Promise<SealedDigest[]> {
  const sealed: SealedDigest[] = [];
  for (const file of files) {
    const path = join(folder, file.path);
    const [sha256, { size }] = await Promise.all([fileDigest(path), stat(path)]);
    sealed.push({ table: file.table, path: file.path, sha256, bytes: size });
  }
  return sealed;
}
