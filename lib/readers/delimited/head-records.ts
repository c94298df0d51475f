import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { CsvRecords, type RawCell } from "./csv-records";

export interface Dialect {
  delimiter: string;
  quote: '"' | "'" | "none";
  escape: "double" | "backslash";
}

export interface HeadRecords {
  /** All records, including blank ones, so that their positions are the numbers that a reader counts. */
  records: string[][];
  /** Records with a cell that begins with a quote which quotes nothing. */
  stray: number;
  /** Whether a cell has a quote inside, which is text. */
  hasInnerQuotes: boolean;
}

/**
 * The first records of a text by one dialect, read by the reader of runs with its faults allowed, so that dialects can
 * be compared. A null cell is empty text.
 */
export function headRecords(text: string, dialect: Dialect, most: number): HeadRecords {
  const found: HeadRecords = { records: [], stray: 0, hasInnerQuotes: false };
  const options = READER_OPTIONS.csv.parse({
    ...{ delimiter: dialect.delimiter, quote: dialect.quote, escape: dialect.escape },
    ...{ bad_quotes: "literal", line_ends: "mixed" },
  });
  let strays = 0;
  const take = {
    record: (cells: RawCell[]) => {
      found.records.push(cells.map((cell) => cell ?? ""));
      const isUnread = dialect.quote === "none" && cells.some((cell) => cell?.startsWith('"'));
      if (records.strays.opening > strays || isUnread) found.stray += 1;
      strays = records.strays.opening;
      return found.records.length < most;
    },
  };
  // of any width, since another dialect may be the file's
  const records: CsvRecords = new CsvRecords(options, take, Number.POSITIVE_INFINITY);
  if (records.push(text)) records.end();
  found.hasInnerQuotes = records.strays.inner > 0;
  return found;
}
