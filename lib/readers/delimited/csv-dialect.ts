import { open } from "node:fs/promises";
import { mismatch } from "@/lib/readers/failure";

export interface CsvDialect {
  delimiter: string;
  /** The header's fields as in the file. */
  header: string[];
}

const HEAD_SIZE = 1 << 20;
const SAMPLE_RECORDS = 200;
/** In order of preference if two of them parse the head equally well. */
const DELIMITERS = [",", ";", "\t", "|"] as const;

/** Reads the header and finds the delimiter of a CSV file; TSV has only the tab. */
export async function readDialect(path: string, format: "csv" | "tsv"): Promise<CsvDialect> {
  const head = await readHead(path);
  const readings = (format === "tsv" ? (["\t"] as const) : DELIMITERS).map((delimiter) => ({
    delimiter,
    records: parseHead(head, delimiter),
  }));
  const best = readings.reduce((chosen, reading) =>
    scoreOf(reading.records) > scoreOf(chosen.records) ? reading : chosen,
  );
  const header = best.records[0];
  if (!header)
    throw mismatch(
      "Missing header. The first line is empty or longer than 1 MiB. Put the column names in the first line.",
    );
  return { delimiter: best.delimiter, header };
}

/** More columns are better, and a delimiter that gives every record the same count beats one that does not. */
function scoreOf(records: string[][]): number {
  const count = records[0]?.length ?? 0;
  if (count <= 1) return 0;
  return records.every((record) => record.length === count || isBlank(record)) ? 1_000_000 + count : count;
}

const isBlank = (record: string[]): boolean => record.length === 1 && record[0] === "";

async function readHead(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_SIZE), 0, HEAD_SIZE, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const mark = bytes.subarray(0, 2).toString("hex");
    if (mark === "fffe" || mark === "feff") throw mismatch("The file is UTF-16. Save it as UTF-8.");
    return new TextDecoder("utf-8").decode(bytes); // drops a byte order mark
  } finally {
    await file.close();
  }
}

/**
 * The complete records at the start of the text. A last record that is cut off by the end of the head is omitted unless
 * it is the entire text.
 */
export function parseHead(text: string, delimiter: string): string[][] {
  const cut = Buffer.byteLength(text) >= HEAD_SIZE - 3;
  const records: string[][] = [];
  let at = 0;
  while (at < text.length && records.length < SAMPLE_RECORDS) {
    const { record, next, complete } = parseRecord(text, at, delimiter);
    if (!complete && cut) break;
    records.push(record);
    at = next;
  }
  return records;
}

function parseRecord(
  text: string,
  start: number,
  delimiter: string,
): { record: string[]; next: number; complete: boolean } {
  const record: string[] = [];
  let at = start;
  for (;;) {
    const field = parseField(text, at, delimiter);
    record.push(field.text);
    at = field.next;
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    const complete = at < text.length;
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    return { record, next: at + 1, complete };
  }
}

function parseField(text: string, start: number, delimiter: string): { text: string; next: number } {
  let quoted = "";
  let at = start;
  if (text[at] === '"') {
    const close = closingQuote(text, at + 1);
    quoted = text.slice(at + 1, close).replaceAll('""', '"');
    at = close + 1;
  }
  const rest = at;
  while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return { text: quoted + text.slice(rest, at), next: at };
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? text.length : at;
}
