import { createReadStream } from "node:fs";
import { mismatch } from "@/lib/readers/failure";

/** One object of a JSON file: its text and the line where it begins. */
export interface JsonRecord {
  text: string;
  line: number;
}

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, QUOTE, ESCAPE, COMMA, LINE_FEED] = [
  0x7b, 0x7d, 0x5b, 0x5d, 0x22, 0x5c, 0x2c, 0x0a,
] as const;
const BLANKS = new Set([0x20, 0x09, 0x0d, LINE_FEED]);
const RECORD_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The objects of a JSON array, or objects one after another (NDJSON), with any line breaks. Their content is not
 * checked.
 */
export async function* readRecords(path: string): AsyncGenerator<JsonRecord> {
  const splitter = new RecordSplitter();
  let isFirst = true;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    const bytes = isFirst && chunk.subarray(0, 3).toString("hex") === "efbbbf" ? chunk.subarray(3) : chunk;
    isFirst = false;
    yield* splitter.split(bytes);
  }
  splitter.end();
}

/** Finds where top-level objects begin and end: only strings and depth matter. */
class RecordSplitter {
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  private parts: Buffer[] = [];
  private partBytes = 0;
  private depth = 0;
  private inText = false;
  private isEscaped = false;
  private line = 1;
  private startLine = 1;
  private list: "none" | "open" | "closed" = "none";
  private between: "start" | "record" | "comma" = "start";

  *split(chunk: Buffer): Generator<JsonRecord> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) this.line += 1;
      if (this.depth === 0) {
        if (this.outside(byte)) start = at;
      } else if (this.inside(byte)) {
        yield this.finish(chunk.subarray(start, at + 1));
      }
    }
    if (this.depth > 0) this.keep(chunk.subarray(start));
  }

  end(): void {
    if (this.depth > 0)
      throw mismatch(`Line ${this.startLine}: the object that starts here is never closed. The file is truncated.`);
    if (this.list === "open") throw mismatch(`Line ${this.line}: the array is never closed. The file is truncated.`);
    if (this.list === "none" && this.between === "start") throw mismatch("The file contains no JSON object.");
  }

  /** Reads a byte between objects; true if one begins. */
  private outside(byte: number): boolean {
    if (BLANKS.has(byte)) return false;
    if (byte === OPEN && this.mayBegin()) {
      this.depth = 1;
      this.startLine = this.line;
      return true;
    }
    this.punctuate(byte);
    return false;
  }

  private mayBegin(): boolean {
    return this.list === "none" || (this.list === "open" && this.between !== "record");
  }

  private punctuate(byte: number): void {
    if (byte === OPEN_LIST && this.list === "none" && this.between === "start") this.list = "open";
    else if (byte === CLOSE_LIST && this.list === "open" && this.between !== "comma") this.list = "closed";
    else if (byte === COMMA && this.list === "open" && this.between === "record") this.between = "comma";
    else
      throw mismatch(
        `Line ${this.line}: ${JSON.stringify(String.fromCharCode(byte))} found where an object should start. Use ` +
          `one array of objects, or one object per line.`,
      );
  }

  /** Reads a byte of an object; true if the object ends. */
  private inside(byte: number): boolean {
    if (this.inText) {
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === ESCAPE) this.isEscaped = true;
      else if (byte === QUOTE) this.inText = false;
      return false;
    }
    if (byte === QUOTE) this.inText = true;
    else if (byte === OPEN || byte === OPEN_LIST) this.depth += 1;
    else if (byte === CLOSE || byte === CLOSE_LIST) this.depth -= 1;
    return this.depth === 0;
  }

  private keep(bytes: Buffer): void {
    this.partBytes += bytes.length;
    if (this.partBytes > RECORD_BYTES_MAX)
      throw mismatch(`Line ${this.startLine}: the object that starts here is larger than 64 MiB.`);
    this.parts.push(Buffer.from(bytes));
  }

  private finish(last: Buffer): JsonRecord {
    const bytes = this.parts.length > 0 ? Buffer.concat([...this.parts, last]) : last;
    this.parts = [];
    this.partBytes = 0;
    this.between = "record";
    try {
      return { text: this.decoder.decode(bytes), line: this.startLine };
    } catch {
      throw mismatch(
        `Line ${this.startLine}: the object that starts here contains bytes that are not UTF-8. Save the file as ` +
          `UTF-8.`,
      );
    }
  }
}
