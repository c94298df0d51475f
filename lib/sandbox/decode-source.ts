import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "lossless-json";
import { type PartColumn, partitionCell } from "@/lib/builds/part-columns";
import type { BuildBench, BuildPlan, PlannedSource } from "@/lib/builds/plan";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { fileDigest } from "@/lib/kernel/file-digest";
import { columnsWithBothZeros, WITHOUT_DICTIONARIES } from "@/lib/publish/signed-zeros";
import { fillStage } from "@/lib/publish/stage";
import { CellsFile, textCells } from "@/lib/readers/cells-file";
import { BoundedCopy } from "@/lib/readers/containers/bounded-copy";
import { unpack } from "@/lib/readers/containers/containers";
import { joinedDigest } from "@/lib/readers/digests";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import { JsonColumns } from "@/lib/readers/json/json-cells";
import { JsonFrame } from "@/lib/readers/json/json-frame";
import { readParquet } from "@/lib/readers/parquet/parquet-reading";
import { type CellsReader, readHeader, readPart, TextColumns } from "@/lib/readers/read-part";
import type { StagedColumn } from "@/lib/readers/staged-source";
import type { Reading } from "@/lib/readers/typed/reading";
import type { Reader } from "@/lib/schemas/recipe-reader";
import type { Archive } from "@/lib/schemas/recipe-source";
import { type StatedTotal, statedTotal } from "@/lib/sources/stated-total";
import { type DecodedSource, SandboxFailure } from "./events";

import { type Comparing, compareStated, type StatedPart } from "./stated-records";

export interface SourceWork {
  plan: BuildPlan;
  source: PlannedSource;
  reader: Reader;
  archive: Archive | undefined;
  bench: BuildBench;
  /** Columns that say which piece a row came from. They precede the source's own columns. */
  partColumns?: readonly PartColumn[];
  /** How its records are compared with what it states; undefined if they are not. */
  comparing?: Comparing | undefined;
}

interface PartFile {
  partition: string | null;
  member: string | null;
  path: string;
  isCut: boolean;
  stated: StatedTotal | undefined;
}

/** Turns one source's raw files into cells, or into Parquet that we write ourselves. */
export async function decodeSource(work: SourceWork): Promise<DecodedSource> {
  try {
    const files = await partFiles(work);
    const { reader } = work;
    return reader.format === "parquet"
      ? await decodeParquet(work, files, reader.options.columns)
      : await decodeCells(work, files, reader);
  } catch (error) {
    if (error instanceof ReadFailure) error.at.source ??= work.source.name;
    throw error;
  }
}

async function partFiles({ plan, source, reader, archive, bench }: SourceWork): Promise<PartFile[]> {
  const folder = join(bench.folder, "unpacked", source.name);
  await mkdir(folder, { recursive: true });
  const { unpackedBytes } = plan.limits;
  const copy = new BoundedCopy(folder, { bytesMax: unpackedBytes });
  const isWorkbook = reader.format === "xlsx";
  const files: PartFile[] = [];
  for (const { partition, file, isCut = false, stated } of source.parts) {
    const found = await unpack(join(bench.folder, file), { copy, archive, unpackedBytes, isWorkbook });
    files.push(...found.map((each) => ({ ...each, partition, isCut, stated })));
  }
  return files;
}

/** How many rows a part may give: the newest part of a sample gets half of all rows, earlier ones share the rest. */
function rowsLeft({ plan }: SourceWork, part: { at: number; of: number }, read: number): number {
  const { rows } = plan.limits;
  if (plan.mode === "full") return rows;
  const isNewest = part.at === part.of - 1;
  return Math.max(0, (isNewest ? rows : Math.floor(rows / 2)) - read);
}

async function decodeCells(work: SourceWork, files: readonly PartFile[], reader: CellsReader): Promise<DecodedSource> {
  const { source, bench, partColumns = [] } = work;
  const target = join("cells", `${source.ordinal}.csv`);
  const cells = new CellsFile(join(bench.folder, target));
  const isJson = reader.format === "json" || reader.format === "ndjson";
  const columns = isJson ? new JsonColumns(namedFields(reader)) : new TextColumns();
  const parts = await decodeParts({ work, files, reader, cells, columns }).finally(() => cells.close());
  if (columns instanceof JsonColumns && partColumns.length === 0) columns.refuseNone(cells.rows);
  const isWhole = source.isPart !== true && !parts.some(({ isCut }) => isCut);
  const { comparing } = work;
  const remarks = comparing && (isWhole || !comparing.isOneQuery) ? compareStated(parts, comparing) : [];
  return {
    ...(remarks.length > 0 && { remarks }),
    ...described(work, files),
    form: isJson ? "json" : "text",
    files: [target],
    columns: [...partsOwn(work, isJson), ...staged(columns, work)],
    rows: cells.rows,
    rowsOf: isWhole ? cells.rows : null,
    longestBytes: cells.longestBytes,
    leftOut: cells.leftOut.list(),
    rowsDigest: cells.digest(),
    partDigests: files.map((file, at) => digestOf(file, cells.parts[at])),
  };
}

interface PartsWork {
  work: SourceWork;
  files: readonly PartFile[];
  reader: CellsReader;
  cells: CellsFile;
  columns: TextColumns | JsonColumns;
}

async function decodeParts({ work, files, reader, cells, columns }: PartsWork): Promise<DecodedPart[]> {
  const { unpackedBytes } = work.plan.limits;
  if (columns instanceof TextColumns && files.length > 1)
    for (const [at, { path }] of files.entries())
      columns.add(await inPart(at, readHeader({ path, reader, cells, unpackedBytes })));
  const parts: DecodedPart[] = [];
  for (const [at, file] of files.entries()) {
    const most = rowsLeft(work, { at, of: files.length }, cells.rows);
    parts.push(await decodePart({ work, file, most, reader, cells, at }, columns));
  }
  return parts;
}

interface DecodedPart extends StatedPart {
  /** Whether rows were left unread. */
  isCut: boolean;
}

interface PartWork {
  work: SourceWork;
  file: PartFile;
  most: number;
  reader: CellsReader;
  cells: CellsFile;
  at: number;
}

async function decodePart(
  { work, file, most, reader, cells, at }: PartWork,
  columns: TextColumns | JsonColumns,
): Promise<DecodedPart> {
  const before = cells.rows;
  const isFull = work.plan.mode === "full";
  let isCut = most === 0 || file.isCut;
  const mayContinue = () => {
    if (isFull && cells.rows > work.plan.limits.rows)
      throw new SandboxFailure("rows_exceeded", `The source has more than ${work.plan.limits.rows} rows.`);
    if (isFull || cells.rows - before < most) return true;
    isCut = true;
    return false;
  };
  cells.beginPart(partCells(work, file));
  const frame = work.comparing && reader.format === "json" ? new JsonFrame() : undefined;
  if (most > 0) {
    const { unpackedBytes } = work.plan.limits;
    const { path } = file;
    const reading = { path, reader, cells, unpackedBytes, mayContinue, isCut: file.isCut, ...(frame && { frame }) };
    await inPart(at, readPart(reading, columns));
  }
  cells.endPart(columns.names());
  const rows = cells.rows - before;
  return { rows, isCut, stated: isCut ? undefined : statedBy(frame, rows, work, file) };
}

function statedBy(
  frame: JsonFrame | undefined,
  count: number,
  { reader, comparing }: SourceWork,
  { stated }: PartFile,
): StatedTotal | undefined {
  const text = reader.format === "json" ? frame?.text() : undefined;
  if (text === undefined || reader.format !== "json") return stated;
  const { records } = reader.options;
  const inBody = statedTotal({ document: parse(text), records, count, isPage: comparing?.isPage ?? false });
  return inBody && !inBody.hasMore ? inBody : (stated ?? inBody);
}

const partsOwn = ({ partColumns = [] }: SourceWork, isJson: boolean): StagedColumn[] =>
  partColumns.map(({ name }) => ({ name, ...(isJson && { kinds: ["string" as const], items: [] }) }));

function staged(columns: TextColumns | JsonColumns, { partColumns = [], source }: SourceWork): StagedColumn[] {
  const own = columns.staged();
  const names = new Set(own.map(({ name }) => name.toLowerCase()));
  const taken = partColumns.find(({ name }) => names.has(name.toLowerCase()));
  if (!taken) return own;
  const why = `Source ${source.name} already has a column ${JSON.stringify(taken.name)}.`;
  throw new SandboxFailure("header_mismatch", `${why} Use a different name for the partition column.`);
}

/** The part's cells. JSON strings carry a mark. */
function partCells({ partColumns = [], reader }: SourceWork, { partition, member }: PartFile): string {
  const mark = reader.format === "json" || reader.format === "ndjson" ? "s" : "";
  const cells = partColumns.map(({ of, type }) => (of === "member" ? member : partitionCell(partition, type)));
  return textCells(cells.map((cell) => (cell === null ? null : mark + cell)));
}

async function inPart<T>(part: number, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ReadFailure) error.at.part ??= part;
    throw error;
  }
}

async function decodeParquet(
  work: SourceWork,
  files: readonly PartFile[],
  columns: readonly string[] | undefined,
): Promise<DecodedSource> {
  const { source, bench, plan } = work;
  const parts: { names: string[]; rows: number; rowsOf: number; target: string }[] = [];
  let rows = 0;
  for (const [at, { path }] of files.entries()) {
    const target = join("cells", `${source.ordinal}-${at}.parquet`);
    const rowsMax = plan.mode === "full" ? undefined : rowsLeft(work, { at, of: files.length }, rows);
    const part = await inPart(at, rewriteParquet(bench, path, target, { columns, rowsMax }));
    rows += part.rows;
    parts.push({ ...part, target });
  }
  if (plan.mode === "full" && rows > plan.limits.rows)
    throw new SandboxFailure("rows_exceeded", `The source has more than ${plan.limits.rows} rows.`);
  const digests = await Promise.all(parts.map(({ target }) => fileDigest(join(bench.folder, target))));
  return {
    ...described(work, files),
    form: "parquet",
    files: parts.map(({ target }) => target),
    columns: [...new Set(parts.flatMap(({ names }) => names))].map((name) => ({ name })),
    rows,
    rowsOf: source.isPart ? null : parts.reduce((sum, part) => sum + part.rowsOf, 0),
    longestBytes: 0,
    leftOut: [],
    rowsDigest: joinedDigest(digests),
    partDigests: files.map((file, at) => digestOf(file, { rows: parts[at]?.rows ?? 0, digest: digests[at] ?? "" })),
  };
}

const described = ({ source }: SourceWork, files: readonly PartFile[]) => ({
  name: source.name,
  ordinal: source.ordinal,
  parts: files.map(({ partition, member }) => ({ partition, member })),
});

const digestOf = ({ partition, member }: PartFile, part: { rows: number; digest: string } | undefined) => ({
  partition,
  member,
  rows: part?.rows ?? 0,
  rowsDigest: part?.digest ?? "",
});

const namedFields = (reader: CellsReader): string[] =>
  "fields" in reader.options ? Object.keys(reader.options.fields ?? {}) : [];

const ROWS_PER_GROUP = 122_880;

/**
 * Rewrites an untrusted Parquet file with our own DuckDB and the service's types, so that only files written by it are
 * ever read outside the sandbox. `rowsMax` limits a sample.
 */
export async function rewriteParquet(
  bench: BuildBench,
  source: string,
  target: string,
  { columns, rowsMax }: { columns: readonly string[] | undefined; rowsMax: number | undefined },
): Promise<{ names: string[]; rows: number; rowsOf: number }> {
  const reading = await named(readParquet(bench, source, [], []));
  try {
    return await rewrite(bench, reading, target, { columns, rowsMax });
  } finally {
    if (reading.copy !== undefined) await rm(reading.copy, { force: true });
  }
}

async function rewrite(
  bench: BuildBench,
  reading: Reading,
  target: string,
  { columns, rowsMax }: { columns: readonly string[] | undefined; rowsMax: number | undefined },
): Promise<{ names: string[]; rows: number; rowsOf: number }> {
  const rowsOf = reading.rows ?? 0;
  const wanted = columns ?? reading.columns.map(({ name }) => name);
  const chosen = wanted.map((name) => {
    const column = reading.columns.find((each) => each.name === name);
    if (!column) throw mismatch(`The Parquet file has no column ${JSON.stringify(name)}.`);
    return column;
  });
  const { rows: _, ...rest } = reading;
  const cut = rowsMax !== undefined && rowsMax < rowsOf;
  const relation = cut ? `(SELECT * FROM ${reading.relation} LIMIT ${rowsMax})` : reading.relation;
  const stage = await named(fillStage(bench, { ...rest, columns: chosen, relation }));
  const cells = stage.columns.map(({ name }, index) => `c${index} AS ${quoteIdentifier(name)}`);
  const plain = (await columnsWithBothZeros(bench, stage)).size > 0 ? `, ${WITHOUT_DICTIONARIES}` : "";
  await bench.run(
    `COPY (SELECT ${cells.join(", ")} FROM stage) TO ${quoteLiteral(join(bench.folder, target))}
     (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION zstd, ROW_GROUP_SIZE ${ROWS_PER_GROUP}${plain})`,
  );
  await bench.run("DROP TABLE stage");
  return { names: [...wanted], rows: stage.rows, rowsOf };
}

/** Turns rejections by the publishing code into failures of the file, without paths of this machine. */
async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ReadFailure || !(error instanceof Error)) throw error;
    if (/Out of Memory|No space left|max_temp_directory_size/i.test(error.message)) throw error;
    throw mismatch(error.message.replaceAll(/\/\S*\//g, "").slice(0, 500));
  }
}
