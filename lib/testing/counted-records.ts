/** How a file separates its cells, for a parser that shares nothing with the readers. */
export interface Separated {
  delimiter: string;
  quote: string;
  /** The sign before a quote within quotes: the quote itself, or a backslash. */
  escapedBy: string;
  comment: string | undefined;
}

/** The cells of a record; undefined for a comment. A blank line is a record of one cell. */
export type CountedRecord = string[] | undefined;

/** Splits text into records, one character after the other. */
export function countedRecords(given: string, { delimiter, quote, escapedBy, comment }: Separated): CountedRecord[] {
  const text = given.replace(/^\ufeff/, "");
  const found: CountedRecord[] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (record.length === 0 && comment !== undefined && text[at] === comment) {
      at = afterEnd(text, endOfLine(text, at));
      found.push(undefined);
      continue;
    }
    const { cell, next } = text[at] === quote ? quotedCell(text, at, quote, escapedBy) : { cell: "", next: at };
    const end = endOfCell(text, next, delimiter);
    record.push(cell + text.slice(next, end));
    at = end + 1;
    if (text[end] === delimiter && end + 1 < text.length) continue;
    if (text[end] === delimiter) record.push(""); // the file ends with a delimiter
    found.push(record);
    record = [];
    at = afterEnd(text, end);
  }
  return found;
}

function quotedCell(text: string, start: number, quote: string, escapedBy: string): { cell: string; next: number } {
  let cell = "";
  for (let at = start + 1; at < text.length; at += 1) {
    if (escapedBy !== quote && text[at] === escapedBy) {
      at += 1;
      cell += text[at] ?? "";
    } else if (text[at] !== quote) cell += text[at] ?? "";
    else if (escapedBy === quote && text[at + 1] === quote) {
      at += 1;
      cell += quote;
    } else return { cell, next: at + 1 };
  }
  return { cell: "", next: start };
}

function endOfCell(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return at;
}

function endOfLine(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return at;
}

const afterEnd = (text: string, end: number): number => end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
