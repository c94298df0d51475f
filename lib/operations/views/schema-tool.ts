import { z } from "zod";
import { didYouMean, MEANT_MAX } from "@/lib/engine/grammar/did-you-mean";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { type Fault, failWith } from "@/lib/kernel/errors";
import { formatCount } from "@/lib/kernel/format";
import { toolPart } from "@/lib/operations/tool-part";
import type { Column } from "@/lib/schemas/column";
import { type TableSchema, tableSchemaSchema } from "@/lib/schemas/table";
import { columnBrief, columnLine, wholeColumn } from "./column-brief";
import { fitting } from "./fitting";

/** Bytes of the columns' JSON, which the text repeats in some form. */
const CHARACTERS_MAX = 11_000;
/** Bytes for the names of columns that do not fit in a reply. */
const NAMES_CHARACTERS_MAX = 2_000;

export const getTableSchemaTool = toolPart({
  title: "Get a table's schema",
  description:
    "The columns of a table: exact names, types, units, meanings, nulls, and over all rows the range, all values " +
    "with counts (if few) or sample values. Call it before query_table. Wide tables are returned in parts: name " +
    "the columns you need, or continue with from_column = next_column. details adds operators, functions, " +
    "mean, stddev, quantiles and the most frequent values.",
  input: z.strictObject({
    table_id: z.string().describe("A table_id, or dataset/table."),
    columns: z.array(z.string()).min(1).max(500).optional().describe("Return only these columns."),
    from_column: z.string().optional().describe("Start at this column."),
    details: z.boolean().default(false),
  }),
  toInput: ({ table_id }) => ({ path: { table_id } }),
  output: tableSchemaSchema.extend({
    columns: z.array(z.looseObject({ name: z.string(), type: z.string() })),
    columns_total: z.int(),
    truncated: z.boolean(),
    next_column: z.string().nullable(),
    more_columns: z.array(z.string()).describe("Names of later columns, as far as space allows."),
  }),
  view(schema: TableSchema, { args: { columns: wanted, from_column: from, details } }) {
    const chosen = following(wanted ? named(schema.columns, wanted, (at) => `/columns/${at}`) : schema.columns, from);
    const columns = fitting(chosen.map(details ? wholeColumn : columnBrief), CHARACTERS_MAX, 1);
    const later = chosen.slice(columns.length).map(({ name }) => name);
    const said = {
      columns_total: schema.columns.length,
      truncated: later.length > 0,
      next_column: later[0] ?? null,
      more_columns: fitting(later, NAMES_CHARACTERS_MAX, 0),
    };
    const lines = details ? columns.map((column) => stringifyExactJson(column)) : columns.map(columnLine);
    return {
      structured: { ...schema, columns, ...said },
      text: [headLine(schema, columns.length, said.truncated), ...lines, ...moreLines(said)].join("\n"),
    };
  },
});

function headLine({ table, columns }: TableSchema, shown: number, truncated: boolean): string {
  const amount = shown === columns.length ? `${shown} columns` : `${shown} of ${formatCount(columns.length)} columns`;
  return (
    `${truncated ? "PARTIAL: " : ""}${amount}, ${formatCount(table.rows)} rows, version ${table.version_id}, ` +
    `${table.content_digest}`
  );
}

interface More {
  next_column: string | null;
  more_columns: readonly string[];
}

const moreLines = ({ next_column: next, more_columns: more }: More): string[] =>
  next === null
    ? []
    : [
        `More columns: continue with from_column ${JSON.stringify(next)}, or name columns. Later columns: ` +
          `${JSON.stringify(more)}`,
      ];

function following(columns: readonly Column[], from: string | undefined): readonly Column[] {
  if (from === undefined) return columns;
  named(columns, [from], () => "/from_column");
  return columns.slice(columns.findIndex(({ name }) => name === from));
}

/** The columns with these names, in the table's order; `pointerOf` returns the pointer of a name in the arguments. */
function named(columns: readonly Column[], wanted: readonly string[], pointerOf: (at: number) => string): Column[] {
  const names = columns.map(({ name }) => name);
  const known = new Set(names);
  const unknown = wanted.flatMap((name, at) => (known.has(name) ? [] : [{ name, at }]));
  const faults = unknown.map(({ name, at }, nth): Fault => {
    const meant = nth < MEANT_MAX ? didYouMean(name, names) : undefined;
    const message = `Unknown column ${JSON.stringify(name.slice(0, 100))}.`;
    return {
      pointer: pointerOf(at),
      code: "unknown_column",
      message,
      allowed: names,
      ...(meant && { didYouMean: meant }),
    };
  });
  if (faults.length > 0) throw failWith(faults);
  const chosen = new Set(wanted);
  return columns.filter(({ name }) => chosen.has(name));
}
