import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { joinedDigest } from "./digests";
import { type LeftOutCause, LeftOutCount } from "./left-out";

const FLUSH_CHARACTERS = 1 << 20;
/** Maximum number of bytes of a UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;

/** Writes one source's cells: `row,part,cell,…`, RFC 4180 in UTF-8. `""` is an empty string, a bare empty cell null. */
export class CellsFile {
  rows = 0;
  longestBytes = 0;
  readonly leftOut = new LeftOutCount();
  /** For each part, its rows and a SHA-256 of their cells without row numbers. */
  readonly parts: { rows: number; digest: string }[] = [];
  private readonly fd: number;
  private pending: string[] = [];
  /** Like `pending`, but without row numbers, for the digest. */
  private pendingCells: string[] = [];
  private pendingCharacters = 0;
  private hash: Hash = createHash("sha256");
  private partRows = 0;
  /** What every row of the part begins with, after its numbers: `,"2026-Q3"`. */
  private partCells = "";
  /** The same as bytes, for callers that write complete rows. */
  partBytes: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.fd = openSync(path, "wx");
  }

  /** `own` is the record's text after its row and part, including the first comma. */
  row(row: number, own: string): void {
    const cells = this.partCells + own;
    const line = `${row},${this.parts.length}${cells}\n`;
    this.longestBytes = Math.max(this.longestBytes, line.length * UTF8_BYTES_MAX);
    this.pending.push(line);
    this.pendingCharacters += line.length;
    this.pendingCells.push(cells);
    this.partRows += 1;
    this.rows += 1;
    if (this.pendingCharacters > FLUSH_CHARACTERS) this.flush();
  }

  /** Counts one of the rows that are passed to `writeRows`. */
  count(): void {
    this.rows += 1;
    this.partRows += 1;
  }

  /** Writes rows as bytes, which were counted before; `cells` are the same rows without their numbers. */
  writeRows(rows: Buffer, cells: Buffer, longestBytes: number): void {
    this.flush();
    this.hash.update(cells);
    this.longestBytes = Math.max(this.longestBytes, longestBytes);
    this.write(rows);
  }

  /** Records a cell (`column` from 1), or an entire row of `cells` cells (`column` null), that is not in the file. */
  leaveOut(cause: LeftOutCause, row: number, value: string, column: number | null = null, cells = 1): void {
    this.leftOut.add(cause, { part: this.parts.length, row, column, value }, cells);
  }

  /** Called even within a chunk of the source, since a short record may become a long row. */
  private flush(): void {
    const bytes = Buffer.from(this.pending.join(""));
    this.hashPending();
    this.pending = [];
    this.pendingCharacters = 0;
    this.write(bytes);
  }

  private write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at);
  }

  private hashPending(): void {
    if (this.pendingCells.length > 0) this.hash.update(`${this.pendingCells.join("\n")}\n`);
    this.pendingCells = [];
  }

  /** Begins a part whose rows all have these cells before their own. */
  beginPart(cells: string): void {
    this.partCells = cells;
    this.partBytes = Buffer.from(cells);
  }

  /** Ends a part. Its column names are part of its digest. */
  endPart(columns: readonly string[]): void {
    this.hashPending();
    this.parts.push({ rows: this.partRows, digest: this.hash.update(JSON.stringify(columns)).digest("hex") });
    this.hash = createHash("sha256");
    this.partRows = 0;
  }

  /** SHA-256 over all parts. */
  digest(): string {
    return joinedDigest(this.parts.map((part) => part.digest));
  }

  close(): void {
    this.flush();
    closeSync(this.fd);
  }
}

/** Cells of text formats, every one quoted. */
export function textCells(cells: readonly (string | null)[]): string {
  let text = "";
  for (const cell of cells)
    text += cell === null ? "," : `,"${cell.includes('"') ? cell.replaceAll('"', '""') : cell}"`;
  return text;
}
