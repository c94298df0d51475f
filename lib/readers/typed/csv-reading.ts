import { quoteLiteral } from "@/lib/engine/sql/identifier";
import type { Bench } from "@/lib/readers/bench";
import { readDialect } from "@/lib/readers/delimited/csv-dialect";
import { scanCsv } from "@/lib/readers/delimited/csv-scan";
import { TEXT_RULES } from "./cell-types";
import { checkNames, checkNotes } from "./column-names";
import { noteOf, type Reading } from "./reading";
import { declaredText, type Expected, keptFirst, readText, ruleOfNote, type TextColumn } from "./text-reading";

/** DuckDB's own buffer. By default it grows to 16 times the longest line allowed, for each thread. */
const BUFFER_BYTES = 32 * 1024 * 1024;
const LINE_BYTES = 2 * 1024 * 1024;

/**
 * Plans the reading of a CSV or TSV file that has been verified as well-formed. A bare empty cell is null, and `""` is
 * an empty string.
 */
export async function readCsv(
  bench: Bench,
  path: string,
  format: "csv" | "tsv",
  { notes, orderBy, types }: Expected,
): Promise<Reading> {
  const dialect = await readDialect(path, format);
  checkNames(dialect.header);
  checkNotes(notes, orderBy, dialect.header);
  const { rows, longestBytes } = await scanCsv(path, dialect);
  const columns = dialect.header.map((name, index): TextColumn => {
    const declared = ruleOfNote(noteOf(notes, name));
    return declared
      ? { name, text: declaredText(`t${index}`, declared), rules: [declared] }
      : { name, text: `t${index}`, rules: keptFirst(types.get(name), TEXT_RULES) };
  });
  const relation = csvRelation({
    path,
    delimiter: dialect.delimiter,
    width: columns.length,
    longestBytes,
    isHeaded: true,
    isPadded: false,
  });
  return await readText(bench, relation, columns, rows);
}

interface CsvLayout {
  path: string;
  delimiter: string;
  width: number;
  /** The longest record. */
  longestBytes: number;
  isHeaded: boolean;
  /** Whether records may end early. */
  isPadded: boolean;
}

/** Every cell as text, columns `t0, t1, …`: nothing is inferred. */
export function csvRelation({ path, delimiter, width, longestBytes, isHeaded, isPadded }: CsvLayout): string {
  const columns = Array.from({ length: width }, (_, index) => `'t${index}': 'VARCHAR'`).join(", ");
  const lineBytes = Math.max(LINE_BYTES, longestBytes + 1024);
  const options = [
    "auto_detect = false, all_varchar = true, strict_mode = true, nullstr = '', allow_quoted_nulls = false",
    `header = ${isHeaded}, delim = ${quoteLiteral(delimiter)}, quote = '"', escape = '"'`,
    // padding and quoted line ends do not work together in parallel
    `null_padding = ${isPadded}, parallel = ${!isPadded}`,
    `max_line_size = ${lineBytes}, buffer_size = ${Math.max(BUFFER_BYTES, lineBytes)}`,
  ];
  return `read_csv(${quoteLiteral(path)}, ${options.join(", ")}, columns = {${columns}})`;
}
