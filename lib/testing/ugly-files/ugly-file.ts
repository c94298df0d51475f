/** A cell as it must come out: null, or its text. Of JSON sources, strings carry the mark `s` before their text. */
export type Cell = string | null;

/** What a source with all its quirks must become, or how it must be rejected. Written before the reader was. */
export interface UglyFile {
  name: string;
  format: "csv" | "tsv" | "json" | "ndjson" | "xlsx";
  options?: Readonly<Record<string, unknown>>;
  bytes: Buffer | (() => Promise<Buffer>);
  read?: {
    columns: readonly string[];
    /** The source's own line or row number, then the cells. */
    rows: readonly (readonly [row: number, ...cells: Cell[]])[];
    /** Cells and records that were left out by what the options allow; 0 when absent. */
    rejected?: number;
  };
  rejected?: { code: string; row?: number; words: RegExp };
}

/** Text in ASCII and single bytes, one after the other. */
export const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from([part]))));

/** Lines in UTF-8, each ended by LF. */
export const lines = (...texts: string[]): Buffer => Buffer.from(texts.map((line) => `${line}\n`).join(""));
