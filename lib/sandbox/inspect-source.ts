import { open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "lossless-json";
import { type Inspection, inspect } from "@/lib/builds/inspect/inspect";
import { columnWarnings } from "@/lib/builds/inspect/inspect-records";
import { type SuggestedTable, suggestedTable } from "@/lib/builds/inspect/suggested-table";
import type { BuildBench, BuildPlan, PlannedInspection } from "@/lib/builds/plan";
import { READER_OPTIONS, type Reader, readerSchema } from "@/lib/schemas/recipe-reader";
import { SandboxFailure } from "./failure";
import { type ContainerFound, type OpenedSource, openSource } from "./opened-source";
import { lookAtSheets, type SheetFound } from "./sheet-heads";
import { type TriedReader, tryReader } from "./tried-reader";

/** What the sandbox found of a source. */
export interface SourceFound extends Inspection {
  containers: ContainerFound[];
  sheets?: SheetFound[];
  /** Whether the proposed reader, or the one that was given, read the part: `columns` and `rows` are its own then. */
  isTried: boolean;
  /** Rows of the part are all rows of the source. */
  isAll: boolean;
  /** Of what was looked at, after unpacking. */
  bytes: number;
  table: SuggestedTable;
}

/** Proposals are made from the first of them; a reader is tried on all that was read. */
const LOOKED_AT_BYTES = 2 * 1024 * 1024;

/** Looks at the raw file of a plan that only looks. Rejects by name for what could not even be opened. */
export async function inspectSource(
  bench: BuildBench,
  plan: BuildPlan,
  asked: PlannedInspection,
): Promise<SourceFound> {
  const { unpackedBytes } = plan.limits;
  const opened = await openSource({
    ...asked,
    ...{ folder: join(bench.folder, "unpacked"), path: join(bench.folder, asked.file), unpackedBytes },
    member: asked.member ?? undefined,
  });
  const { path, isWhole, containers } = opened;
  const { size: bytes } = await stat(path);
  const looked = await lookAt(opened, bytes, { bench, asked });
  const { found, sheets } = await withSheets(looked, opened, unpackedBytes);
  const { tried, failed = [] } = await attempt({ bench, plan, asked, path, isWhole }, found);
  const columns = tried?.columns ?? found.columns ?? [];
  const warnings = [...found.warnings, ...cutWarnings(found, isWhole), ...columnWarnings(columns), ...failed];
  return {
    ...found,
    ...(asked.reader && { reader: asked.reader }),
    ...(sheets && { sheets }),
    ...(columns.length > 0 && { columns }),
    ...(tried && { rows: tried.rows }),
    warnings: [...new Set(warnings)],
    ...{ containers, bytes, isTried: tried !== undefined, isAll: isWhole && (tried?.isAll ?? false) },
    table: suggestedTable(columns),
  };
}

async function lookAt(
  { path, isWhole, name, containers }: OpenedSource,
  bytes: number,
  { bench, asked }: Pick<Trial, "bench" | "asked">,
): Promise<Inspection> {
  const { mediaType, link, url } = asked;
  const isPlain = containers.length === 0;
  const tail = isPlain && asked.tail !== null ? await readFile(join(bench.folder, asked.tail)) : undefined;
  return inspect({
    head: await firstBytes(path, LOOKED_AT_BYTES),
    isWhole: isWhole && bytes <= LOOKED_AT_BYTES,
    ...(tail && { tail }),
    ...{ name, link, mediaType: isPlain ? mediaType : null },
    ...(url !== null && { url }),
  });
}

/** Of a workbook: its sheets, and the proposals of the largest one. */
async function withSheets(
  looked: Inspection,
  { path, isWhole }: OpenedSource,
  unpackedBytes: number,
): Promise<{ found: Inspection; sheets?: SheetFound[] }> {
  if (looked.format.value !== "xlsx" || !isWhole) return { found: looked };
  const { sheets, best, warnings } = await lookAtSheets(path, unpackedBytes);
  if (!best) return { found: { ...looked, warnings: [...looked.warnings, ...warnings] }, sheets };
  const { options, ...table } = best;
  const reader = { format: "xlsx", options };
  return { found: { ...looked, ...table, reader, warnings: [...warnings, ...table.warnings] }, sheets };
}

const cutWarnings = ({ format }: Inspection, isWhole: boolean): string[] =>
  !isWhole && ["xlsx", "parquet", "zip"].includes(format.value)
    ? [`Only its beginning was read: a ${format.value} file of this size is known in a run alone.`]
    : [];

interface Trial {
  bench: BuildBench;
  plan: BuildPlan;
  asked: PlannedInspection;
  path: string;
  isWhole: boolean;
}

/** Reads the part by the reader that was given, or by the proposed one; what failed is a warning. */
async function attempt(
  { bench, plan, asked, path, isWhole }: Trial,
  { reader, format, closed }: Inspection,
): Promise<{ tried?: TriedReader; failed?: string[] }> {
  const wanted = asked.reader ?? reader;
  const needsAll = ["xlsx", "parquet"].includes(wanted?.format ?? "");
  if (!wanted || (needsAll && !isWhole) || (!asked.reader && format.value === "zip")) return {};
  try {
    const file = closed === undefined ? path : await closedFile(path, closed);
    return { tried: await tryReader({ bench, plan, path: file, reader: readerOf(wanted), isWhole }) };
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error;
    return { failed: [`Read by this reader, the source fails as ${error.code}: ${error.message}`] };
  }
}

async function closedFile(path: string, text: string): Promise<string> {
  const target = `${path}-closed`;
  await writeFile(target, text);
  return target;
}

/** As a document's reader, with every default filled in. */
function readerOf(proposed: { format: string; options: Record<string, unknown> }): Reader {
  const { format, options } = readerSchema.parse(parse(JSON.stringify(proposed)));
  return { format, options: READER_OPTIONS[format].parse(options) } as Reader;
}

async function firstBytes(path: string, most: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const length = Math.min(most, (await file.stat()).size);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
