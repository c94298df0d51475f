import { z } from "zod";
import { didYouMean } from "@/lib/engine/did-you-mean";
import { type Fault, failWith } from "@/lib/errors";
import { READING, tool } from "@/lib/mcp/tool";
import { stringifyExactJson } from "@/lib/operations/exact-json";
import { execute } from "@/lib/operations/execute";
import { getSchema } from "@/lib/operations/get-schema";
import { type Column, columnSchema, profileSchema } from "@/lib/schemas/column";
import { tableSchemaSchema } from "@/lib/schemas/table";

const TOP_VALUES_MAX = 6;
const VALUE_CHARACTERS_MAX = 60;
/** Of the columns' JSON, which stands in the text and in the structured content. */
const CHARACTERS_MAX = 11_000;

const agentColumnSchema = columnSchema.omit({ json: true }).extend({ profile: profileSchema.omit({ histogram: true, quantiles: true, length: true }) });

export const getTableSchemaTool = tool({
  name: "get_table_schema",
  title: "Get a table's schema",
  description:
    "The columns of a table's current version: exact names, types, units, meanings, the filter operators and aggregate functions that apply, and a profile over all rows (nulls, distinct values, min, max, mean, most frequent values with counts). Call it before query_table. Many questions (smallest, largest, how many nulls, most frequent) are answered by the profile alone. Wide tables come in part: name the columns that you want.",
  access: "connector_open",
  hints: READING,
  input: z.strictObject({
    table_id: z.string().describe("A tableId."),
    columns: z.array(z.string()).min(1).max(500).optional().describe("Only these columns; all that fit when absent."),
  }),
  output: tableSchemaSchema.extend({ columns: z.array(agentColumnSchema), columns_total: z.int(), truncated: z.boolean(), more_columns: z.array(z.string()) }),
  async call({ table_id, columns: wanted }, ctx) {
    const schema = await execute(getSchema, { path: { table_id }, query: {}, body: undefined as never }, ctx);
    const chosen = wanted ? choose(schema.columns, wanted) : schema.columns;
    const columns = fitting(chosen.map(agentColumn));
    const more = chosen.slice(columns.length).map(({ name }) => name);
    return { structured: { ...schema, columns, columns_total: schema.columns.length, truncated: more.length > 0, more_columns: more } };
  },
});

function choose(columns: readonly Column[], wanted: readonly string[]): Column[] {
  const names = columns.map(({ name }) => name);
  const faults = wanted.flatMap((name, at): Fault[] => {
    if (names.includes(name)) return [];
    const meant = didYouMean(name, names);
    const message = `There is no column ${JSON.stringify(name.slice(0, 100))}.`;
    return [{ pointer: `/columns/${at}`, code: "unknown_column", message, allowed: names, ...(meant && { didYouMean: meant }) }];
  });
  if (faults.length > 0) throw failWith(faults);
  return columns.filter(({ name }) => wanted.includes(name));
}

function agentColumn({ json: _json, profile, ...column }: Column) {
  const { histogram: _histogram, quantiles: _quantiles, length: _length, top_values: top, ...rest } = profile;
  return { ...column, profile: { ...rest, ...(top && { top_values: top.slice(0, TOP_VALUES_MAX).filter(({ value }) => isShort(value)) }) } };
}

const isShort = (value: unknown): boolean => stringifyExactJson(value).length <= VALUE_CHARACTERS_MAX;

/** As many columns as a reply has room for, and one at least. */
function fitting<T>(columns: readonly T[]): T[] {
  let room = CHARACTERS_MAX;
  const fitted = columns.findIndex((column) => {
    room -= stringifyExactJson(column).length;
    return room < 0;
  });
  return columns.slice(0, fitted === -1 ? columns.length : Math.max(1, fitted));
}
