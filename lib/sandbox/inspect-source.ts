import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "lossless-json";
import type { BuildBench, BuildPlan, PlannedInspection } from "@/lib/builds/plan";
import { firstBytes } from "@/lib/readers/containers/compression";
import { type OpenedSource, openSource } from "@/lib/readers/containers/opened-source";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import { type Inspection, inspect } from "@/lib/readers/proposals/inspect";
import { columnWarnings } from "@/lib/readers/proposals/inspect-records";
import { lookAtSheets, type SheetFound } from "@/lib/readers/proposals/sheet-heads";
import { suggestedTable } from "@/lib/readers/proposals/suggested-table";
import { nameFault } from "@/lib/readers/typed/column-names";
import { type Reader, readerSchema } from "@/lib/schemas/recipe-reader";
import type { SourceFound } from "./events";
import { listPackage } from "./list-package";
import { completeReader, type TriedReader, tryReader } from "./tried-reader";
import { tryTable } from "./tried-table";

const NAME_SHOWN = 80;
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
  if (bytes === 0) throw mismatch(isWhole ? "The source is empty." : "The part that was read holds no data.");
  const looked = await lookAt(opened, bytes, { bench, asked });
  const { found, sheets } = await withSheets(looked, opened, unpackedBytes);
  const trial = await attempt({ bench, plan, asked, path, isWhole }, found);
  const proposed = await proposal({ bench, plan, asked, found, isWhole, bytes }, trial);
  return { ...found, ...proposed, ...(sheets && { sheets }), containers, bytes };
}

interface Proposing extends Pick<Trial, "bench" | "plan" | "asked" | "isWhole"> {
  found: Inspection;
  bytes: number;
}

/** What was found, corrected by the trial: reader, columns and table are those that read and build the whole part. */
async function proposal(
  { bench, plan, asked, found, isWhole, bytes }: Proposing,
  { tried, failed = [] }: Awaited<ReturnType<typeof attempt>>,
): Promise<Omit<SourceFound, "containers" | "bytes" | "sheets" | "format" | "licenceHints">> {
  const cut = cutWarnings(found, isWhole);
  if (!tried) {
    const columns = found.columns ?? [];
    const reader = asked.reader ?? found.reader;
    const warnings = [
      ...new Set([
        ...found.warnings,
        ...cut,
        ...failed,
        ...columnWarnings(columns),
        ...columns.flatMap(({ name }) => nameWarning(name)),
      ]),
    ];
    return { ...(reader && { reader }), warnings, isTried: false, isAll: false, table: suggestedTable(columns) };
  }
  const { columns, table, warnings } = await tryTable(bench, plan, { ...tried, format: tried.reader.format });
  const reader = asked.reader ?? withFixes(found.reader, tried.fixes);
  const isAll = isWhole && tried.isAll;
  // those of the columns before the reader was tried, which saw fewer cells
  const earlier = new Set(columnWarnings(found.columns ?? []));
  const before = [...found.warnings.filter((warning) => !earlier.has(warning)), ...cut];
  const after = [
    ...trialWarnings(tried, isAll, bytes),
    ...columnWarnings(columns),
    ...columns.flatMap(({ name }) => nameWarning(name)),
    ...warnings,
  ];
  return {
    ...(reader && { reader }),
    ...(columns.length > 0 && { columns }),
    ...{ rows: tried.rows, warnings: [...new Set([...before, ...after])], isTried: true, isAll, table },
  };
}

const trialWarnings = ({ rows, warnings }: TriedReader, isAll: boolean, bytes: number): string[] => [
  ...(isAll ? [] : [`Only the first ${rows} rows (${bytes} bytes) were read and tried.`]),
  ...warnings,
];

const withFixes = (reader: Inspection["reader"], fixes: Record<string, unknown>): Inspection["reader"] =>
  reader && { ...reader, options: { ...reader.options, ...fixes } };

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

function nameWarning(name: string): string[] {
  const fault = nameFault(name);
  const shown = JSON.stringify(name.slice(0, NAME_SHOWN));
  return fault === undefined
    ? []
    : [`The column ${shown} cannot be released: its name ${fault}. Rename it in the reader.`];
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
  { reader, format }: Inspection,
): Promise<{ tried?: TriedReader; failed?: string[] }> {
  const wanted = asked.reader ?? reader;
  const needsAll = ["xlsx", "parquet"].includes(wanted?.format ?? "");
  if (!wanted || (needsAll && !isWhole) || (!asked.reader && format.value === "zip")) return {};
  try {
    const trying = { bench, plan, path, reader: readerOf(wanted), isWhole, mayFix: !asked.reader };
    return { tried: await tryReader(trying) };
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    return { failed: [`With this reader, the source fails with ${error.code}: ${error.message}`] };
  }
}

/** The reader as in a document, with every default filled in. */
const readerOf = (proposed: { format: string; options: Record<string, unknown> }): Reader =>
  completeReader(readerSchema.parse(parse(JSON.stringify(proposed))));
