export interface SampleRecords {
  /** All records, including blank ones, so that their positions are the numbers that a reader counts. */
  records: string[][];
  /** Records with a quote inside a cell that is not quoted as a whole. */
  stray: number;
}

export interface Dialect {
  delimiter: string;
  quote: '"' | "'" | "none";
}

/** Splits the start of a file by one dialect, leniently: runs read strictly, but inspections compare dialects. */
export function sampleRecords(text: string, { delimiter, quote }: Dialect, most: number): SampleRecords {
  const found: SampleRecords = { records: [], stray: 0 };
  for (let at = 0; at < text.length && found.records.length < most; ) {
    const { cells, next, isStray } = recordAt(text, at, delimiter, quote);
    found.records.push(cells);
    if (isStray) found.stray += 1;
    at = next;
  }
  return found;
}

function recordAt(text: string, start: number, delimiter: string, quote: string) {
  const cells: string[] = [];
  let [at, isStray] = [start, false];
  for (;;) {
    const quoted = text[at] === quote ? quotedAt(text, at, quote) : undefined;
    const end = plainEnd(text, quoted?.next ?? at, delimiter);
    const plain = text.slice(quoted?.next ?? at, end);
    if (quote !== "none" && plain.includes(quote)) isStray = true;
    cells.push((quoted?.cell ?? "") + plain);
    if (text[end] !== delimiter) return { cells, next: afterLine(text, end), isStray };
    at = end + 1;
  }
}

/** Undefined if the quote is never closed, and is therefore text. */
function quotedAt(text: string, start: number, quote: string): { cell: string; next: number } | undefined {
  let end = text.indexOf(quote, start + 1);
  while (end >= 0 && text[end + 1] === quote) end = text.indexOf(quote, end + 2);
  if (end < 0) return undefined;
  return { cell: text.slice(start + 1, end).replaceAll(quote + quote, quote), next: end + 1 };
}

function plainEnd(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return at;
}

const afterLine = (text: string, at: number): number => at + (text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1);
