/** An expected cell: null or its text. For JSON sources, strings carry the mark `s` before their text. */
export type Cell = string | null;

/** What a source with all its quirks must become, or how it must be rejected. Written before the reader. */
export interface UglyFile {
  name: string;
  format: "csv" | "tsv" | "json" | "ndjson" | "xlsx";
  options?: Readonly<Record<string, unknown>>;
  bytes: Buffer | (() => Promise<Buffer>);
  read?: {
    columns: readonly string[];
    /** The source's own line or row number, then the cells. */
    rows: readonly (readonly [row: number, ...cells: Cell[]])[];
    /** Number of cells and records skipped as the options allow; 0 by default. */
    rejected?: number;
  };
  rejected?: { code: string; row?: number; words: RegExp };
}

/** Text in ASCII and single bytes, one after the other. */
export const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from([part]))));

/** Lines in UTF-8, each ended by LF. */
export const lines = (...texts: string[]): Buffer => Buffer.from(texts.map((line) => `${line}\n`).join(""));
