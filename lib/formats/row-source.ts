import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import type { ResultColumn } from "@/lib/engine/plan/result-columns";
import { type Iteration, iterateRows, patiently } from "@/lib/engine/run/iterate-rows";
import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import type { WrittenFormat } from "./page-formats";
import type { Fact } from "./page-rows";
import { pageWriter } from "./page-writer";

/** All rows that a file is written from. */
export interface RowSource {
  engine: Engine;
  version: SealedVersion;
  iteration: Iteration;
  columns: readonly ResultColumn[];
  /** How many there are. */
  rows: number;
  caller: Caller;
  /** Where they are from. */
  about: readonly Fact[];
}

/** Typed formats take a piece of this size for one part of the file, such as a row group. */
const PIECE_BYTES = 1 << 22;

/** A piece of the rows, written as a page of one format. */
export interface WrittenPiece {
  bytes: Uint8Array;
  rows: number;
}

/**
 * The rows piece by piece, each written as a page of a format; one empty piece if there are none. Waits for its turns
 * at the page writer too.
 */
export async function* writtenPieces(source: RowSource, format: WrittenFormat): AsyncGenerator<WrittenPiece> {
  const { engine, version, iteration, columns, caller } = source;
  const write = (rowParts: readonly Uint8Array[], returnedRows: number, before: number) => {
    const page = { columns: [...columns], rowParts, returnedRows, before };
    return patiently(() => pageWriter().write({ format, page, wideAsText: false }, caller));
  };
  let before = 0;
  for await (const { parts, rows } of iterateRows(engine, version, { ...iteration, bytes: PIECE_BYTES }, caller)) {
    yield { bytes: await write(parts, rows, before), rows };
    before += rows;
  }
  if (before === 0) yield { bytes: await write([], 0, 0), rows: 0 };
}
