import { firstBytes } from "@/lib/readers/containers/compression";
import { fileChunks } from "@/lib/readers/containers/file-chunks";
import { readDelimited } from "@/lib/readers/delimited/read-delimited";
import { mismatch } from "@/lib/readers/failure";
import { JsonColumns } from "@/lib/readers/json/json-cells";
import type { JsonFrame } from "@/lib/readers/json/json-frame";
import { jsonTexts } from "@/lib/readers/json/json-texts";
import { readJson, readNdjson } from "@/lib/readers/json/read-json";
import type { StagedColumn } from "@/lib/readers/staged-source";
import { readXlsx } from "@/lib/readers/xlsx/read-xlsx";
import type { Reader } from "@/lib/schemas/recipe-reader";
import { type CellsFile, textCells } from "./cells-file";
import { Layout, type RowSink } from "./layout";

/** Readers whose rows become cells. Parquet is rewritten instead (`rewriteParquet` in the sandbox). */
export type CellsReader = Exclude<Reader, { format: "parquet" }>;

/** The columns of one source across all its parts. */
export interface SourceColumns {
  names(): readonly string[];
  staged(): StagedColumn[];
}

export interface PartReading {
  path: string;
  reader: CellsReader;
  cells: CellsFile;
  unpackedBytes: number;
  /** Size of one read; 1 MiB by default. */
  chunkBytes?: number;
  /** Set if the file is only the start of its source: everything after the last complete line is ignored. */
  isCut?: boolean;
  /** For JSON: keeps what stands beside the records. */
  frame?: JsonFrame;
  /** Called after each row; false ends the part. */
  mayContinue(): boolean;
}

const CHUNK_BYTES = 1 << 20;
const HEAD_BYTES = 8 * 1024;

/** Reads one file into cells, in the columns of its source. */
export async function readPart(reading: PartReading, columns: TextColumns | JsonColumns): Promise<void> {
  const { reader, cells, mayContinue } = reading;
  if (reader.format !== "xlsx") await refuseWebPage(reading.path);
  if (columns instanceof JsonColumns) {
    const { path, chunkBytes = CHUNK_BYTES, isCut = false } = reading;
    const texts = () => {
      const read = jsonTexts({ path, chunkBytes, isCut });
      return reading.frame?.watch(read) ?? read;
    };
    const json = { texts, columns, cells, mayContinue, isCut };
    if (reader.format === "json") await readJson(reader.options, json);
    else if (reader.format === "ndjson") await readNdjson(reader.options, json);
    return;
  }
  await readText(reading, columns.sink(cells, mayContinue));
}

/** The names of a text source's header, without its rows. */
export async function readHeader(reading: Omit<PartReading, "mayContinue">): Promise<string[]> {
  let names: string[] = [];
  const sink: RowSink = {
    columns: (found) => {
      names = [...found];
    },
    row: () => false,
    leaveOut: () => undefined,
  };
  await readText(reading, sink);
  return names;
}

async function readText(reading: Omit<PartReading, "mayContinue">, sink: RowSink): Promise<void> {
  const { path, reader, cells, unpackedBytes, isCut } = reading;
  if (reader.format === "xlsx") {
    const layout = new Layout({ options: reader.options, isSheet: true }, sink);
    const leaveOut = sink.leaveOut.bind(sink);
    await readXlsx({ path, options: reader.options, unpackedBytes, layout, leaveOut });
  } else if (reader.format === "csv" || reader.format === "tsv") {
    const layout = new Layout({ options: reader.options, isSheet: false }, sink);
    const chunks = await chunksOf(reading);
    await readDelimited({ chunks, options: reader.options, layout, cells, sink, ...(isCut && { isCut }) });
  }
}

async function chunksOf({ path, reader, chunkBytes = CHUNK_BYTES, isCut }: Omit<PartReading, "mayContinue">) {
  const chunks = await fileChunks(path, chunkBytes);
  const isWide = "encoding" in reader.options && reader.options.encoding.startsWith("utf-16");
  return isCut && !isWide ? wholeLines(chunks) : chunks;
}

const LF = 0x0a;

/** The chunks up to the last line end. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end > 0) {
      yield Buffer.concat([...pending, chunk.subarray(0, end)]);
      pending = [];
    }
    if (end < chunk.length) pending.push(chunk.subarray(end));
  }
}

/** Columns of text formats. The header of each part is read first, so that all columns are known. */
export class TextColumns implements SourceColumns {
  private readonly all: string[] = [];

  /** Adds a part's names, in any order. New ones come last. */
  add(names: readonly string[]): void {
    const known = new Set(this.all.map((name) => name.toLowerCase()));
    this.all.push(...names.filter((name) => !known.has(name.toLowerCase())));
  }

  names(): readonly string[] {
    return this.all;
  }

  staged(): StagedColumn[] {
    return this.all.map((name) => ({ name }));
  }

  sink(cells: CellsFile, mayContinue: () => boolean): RowSink {
    let indexes: number[] | undefined;
    return {
      columns: (names) => {
        this.add(names);
        const index = new Map(this.all.map((name, at) => [name.toLowerCase(), at]));
        const found = names.map((name) => index.get(name.toLowerCase()) ?? 0);
        const isSame = names.length === this.all.length && found.every((index, at) => index === at);
        indexes = isSame ? undefined : found;
      },
      row: (row, values) => {
        cells.row(row, textCells(indexes ? this.reordered(values, indexes) : values));
        return mayContinue();
      },
      asIs: () => (indexes ? undefined : { mayContinue }),
      leaveOut: (cause, row, value, column, count) => cells.leaveOut(cause, row, value, column, count),
    };
  }

  private reordered(values: readonly (string | null)[], indexes: readonly number[]): (string | null)[] {
    const row = new Array<string | null>(this.all.length).fill(null);
    for (const [at, index] of indexes.entries()) row[index] = values[at] ?? null;
    return row;
  }
}

/** Rejects web pages: a sign-in page instead of the file is the usual form of a silent failure. */
async function refuseWebPage(path: string): Promise<void> {
  const head = (await firstBytes(path, HEAD_BYTES)).toString("utf8").replace(/^\ufeff/, "");
  if (!/^\s*<(?:!doctype html|html)/i.test(head)) return;
  const start = head.search(/<title[^<>]*>/i);
  const title = start < 0 ? "" : head.slice(head.indexOf(">", start) + 1).split("<", 1)[0];
  throw mismatch(
    `The source is a web page${title ? ` titled ${JSON.stringify(title.trim().slice(0, 200))}` : ""}, not data. ` +
      "Check the URL, and whether it needs a credential.",
  );
}
