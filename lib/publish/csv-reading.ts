import { quoteLiteral } from "@/lib/engine/identifier";
import type { ColumnNote } from "@/lib/schemas/publish";
import { TEXT_RULES } from "./cell-types";
import { checkNames, checkNotes } from "./column-names";
import { readDialect } from "./csv-dialect";
import { scanCsv } from "./csv-scan";
import { noteOf, type Reading } from "./reading";
import { declaredText, readText, ruleOfNote, type TextColumn } from "./text-reading";
import type { Workbench } from "./workbench";

const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** Plans the reading of a CSV or TSV file that has been proven well-formed. A bare empty cell is null, `""` an empty string. */
export async function readCsv(
  bench: Workbench,
  path: string,
  format: "csv" | "tsv",
  notes: readonly ColumnNote[],
  orderBy: readonly string[],
): Promise<Reading> {
  const dialect = await readDialect(path, format);
  checkNames(dialect.header);
  checkNotes(notes, orderBy, dialect.header);
  const rows = await scanCsv(path, dialect);
  const columns = dialect.header.map((name, index): TextColumn => {
    const declared = ruleOfNote(noteOf(notes, name));
    return declared ? { name, text: declaredText(`t${index}`, declared), rules: [declared] } : { name, text: `t${index}`, rules: TEXT_RULES };
  });
  return await readText(bench, csvRelation(path, dialect.delimiter, columns.length), columns, rows);
}

/** Every cell as text: nothing is sniffed. */
export function csvRelation(
  path: string,
  delimiter: string,
  width: number,
  options: { header: boolean; padded: boolean } = { header: true, padded: false },
): string {
  const columns = Array.from({ length: width }, (_, index) => `'t${index}': 'VARCHAR'`).join(", ");
  const reading = `auto_detect = false, all_varchar = true, header = ${options.header}, delim = ${quoteLiteral(delimiter)}, quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false`;
  return `read_csv(${quoteLiteral(path)}, ${reading}, strict_mode = true, null_padding = ${options.padded}, parallel = ${!options.padded}, max_line_size = ${LINE_BYTES_MAX}, columns = {${columns}})`;
}
