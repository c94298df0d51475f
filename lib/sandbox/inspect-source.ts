import { open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "lossless-json";
import type { BuildBench, BuildPlan, PlannedInspection } from "@/lib/builds/plan";
import { type ContainerFound, type OpenedSource, openSource } from "@/lib/readers/containers/opened-source";
import { ReadFailure } from "@/lib/readers/failure";
import { type Inspection, inspect } from "@/lib/readers/proposals/inspect";
import { columnWarnings } from "@/lib/readers/proposals/inspect-records";
import { lookAtSheets, type SheetFound } from "@/lib/readers/proposals/sheet-heads";
import { type SuggestedTable, suggestedTable } from "@/lib/readers/proposals/suggested-table";
import { READER_OPTIONS, type Reader, readerSchema } from "@/lib/schemas/recipe-reader";
import { listPackage } from "./list-package";
import { type TriedReader, tryReader } from "./tried-reader";

/** The sandbox's findings about a source. */
export interface SourceFound extends Inspection {
  containers: ContainerFound[];
  sheets?: SheetFound[];
  /** Whether the proposed or given reader read the part. If so, `columns` and `rows` are its result. */
  isTried: boolean;
  /** Whether the rows of the part are all rows of the source. */
  isAll: boolean;
  /** Bytes that were inspected, after unpacking. */
  bytes: number;
  table: SuggestedTable;
}

/** Proposals are based on this many bytes. A reader is tried on everything that was read. */
const LOOKED_AT_BYTES = 2 * 1024 * 1024;

/** Inspects the raw file of a plan with `inspect`. Rejects with a code if the file cannot be opened. */
export async function inspectSource(
  bench: BuildBench,
  plan: BuildPlan,
  asked: PlannedInspection,
): Promise<SourceFound> {
  const { unpackedBytes } = plan.limits;
  const opening = {
    ...asked,
    ...{ folder: join(bench.folder, "unpacked"), path: join(bench.folder, asked.file), unpackedBytes },
    member: asked.member ?? undefined,
  };
  if (asked.lists) return await listPackage(opening);
  const opened = await openSource(opening);
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
  const { mediaType, link, url, stated, hasPages = false } = asked;
  const isPlain = containers.length === 0;
  const tail = isPlain && asked.tail !== null ? await readFile(join(bench.folder, asked.tail)) : undefined;
  return inspect({
    head: await firstBytes(path, LOOKED_AT_BYTES),
    isWhole: isWhole && bytes <= LOOKED_AT_BYTES,
    ...(tail && { tail }),
    ...{ name, link, mediaType: isPlain ? mediaType : null },
    ...(url !== null && { url }),
    ...(stated && { stated }),
    hasPages,
  });
}

/** For a workbook: its sheets, and the proposals for the largest one. */
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
    ? [`Only the start of the file was read. A ${format.value} file of this size can only be read in a run.`]
    : [];

interface Trial {
  bench: BuildBench;
  plan: BuildPlan;
  asked: PlannedInspection;
  path: string;
  isWhole: boolean;
}

/** Reads the part with the given or the proposed reader. A failure becomes a warning. */
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
    if (!(error instanceof ReadFailure)) throw error;
    return { failed: [`With this reader, the source fails with ${error.code}: ${error.message}`] };
  }
}

async function closedFile(path: string, text: string): Promise<string> {
  const target = `${path}-closed`;
  await writeFile(target, text);
  return target;
}

/** The reader as in a document, with every default filled in. */
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
