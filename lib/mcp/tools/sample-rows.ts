import { z } from "zod";
import { citationLine, citationSchema, cite } from "@/lib/mcp/citation";
import { rowText } from "@/lib/mcp/row-text";
import { READING, tool } from "@/lib/mcp/tool";
import { stringifyExactJson } from "@/lib/operations/exact-json";
import { execute } from "@/lib/operations/execute";
import { locateTable } from "@/lib/operations/locate-table";
import { previewTable } from "@/lib/operations/preview-table";
import { workspaceOf } from "@/lib/operations/reader";
import { type Preview, previewSchema } from "@/lib/schemas/table";

/** Of the rows' JSON; the text holds them a second time, without the names. */
const CHARACTERS_MAX = 11_000;

export const sampleRowsTool = tool({
  name: "sample_rows",
  title: "Sample rows",
  description:
    "The first rows of a table's current version, in its own order, to see what values look like. Not for counting or answering: these rows are no random sample. Use query_table for filters, order, groups and totals. Long cells are cut and listed in truncated_cells.",
  access: "connector_open",
  hints: READING,
  input: z.strictObject({ table_id: z.string().describe("A tableId."), limit: z.int().min(1).max(100).default(10) }),
  output: previewSchema.omit({ table: true }).extend({ returned_rows: z.int(), next_cursor: z.null(), citation: citationSchema }),
  async call({ table_id, limit }, ctx) {
    const version = await locateTable(table_id, workspaceOf(ctx));
    const preview = await execute(previewTable, { path: { table_id }, query: { limit }, body: undefined as never }, ctx);
    const rows = fitting(preview.rows);
    const citation = cite(version, ctx);
    const truncated = rows.length < preview.rows_total;
    const { table: _, ...said } = preview; // the citation names the version
    const structured = { ...said, rows, truncated, truncated_cells: preview.truncated_cells.filter(({ row }) => row < rows.length) };
    const text = rowText({ columns: preview.columns, rows, truncated, nextCursor: null, total: preview.rows_total });
    return { structured: { ...structured, returned_rows: rows.length, next_cursor: null, citation }, text: `${text}\n${citationLine(citation)}` };
  },
});

/** As many rows as a reply has room for, and one at least. */
function fitting(rows: Preview["rows"]): Preview["rows"] {
  let room = CHARACTERS_MAX;
  const fitted = rows.findIndex((row) => {
    room -= Buffer.byteLength(stringifyExactJson(row));
    return room < 0;
  });
  return rows.slice(0, fitted === -1 ? rows.length : Math.max(1, fitted));
}
