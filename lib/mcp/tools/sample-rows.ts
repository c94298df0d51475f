import { z } from "zod";
import { workspaceOf } from "@/lib/access/actor";
import { beginning } from "@/lib/mcp/beginning";
import { citationLine, citationSchema, cite } from "@/lib/mcp/citation";
import { fitting } from "@/lib/mcp/fitting";
import { rowText } from "@/lib/mcp/row-text";
import { READING, tool } from "@/lib/mcp/tool";
import { execute } from "@/lib/operations/execute";
import { previewTable } from "@/lib/operations/preview-table";
import { locateTable } from "@/lib/operations/reading/locate-table";
import { type Preview, previewSchema } from "@/lib/schemas/table";

/** Of the rows' JSON; the text holds them a second time, without the names. */
const BYTES_MAX = 11_000;
const CELL_CHARACTERS_MAX = 200;

export const sampleRowsTool = tool({
  name: "sample_rows",
  title: "Sample rows",
  description:
    "The first rows of a table's current version in its stored order, to see what values look like. Do not use it " +
    "for counts or answers: these rows are not a random sample. Use query_table for filters, sorting, groups and " +
    "totals. Cells over 200 characters are truncated and listed in truncated_cells; query_table returns them " +
    "in full.",
  access: "connector_open",
  hints: READING,
  input: z.strictObject({ table_id: z.string().describe("A tableId."), limit: z.int().min(1).max(100).default(5) }),
  output: previewSchema
    .omit({ table: true })
    .extend({ returned_rows: z.int(), next_cursor: z.null(), citation: citationSchema }),
  async call({ table_id, limit }, ctx) {
    const version = await locateTable(table_id, workspaceOf(ctx));
    const preview = await execute(previewTable, { path: { table_id }, query: { limit } }, ctx);
    const { rows, cut } = shortened(fitting(preview.rows, BYTES_MAX, 1), preview.truncated_cells);
    const citation = cite(version, ctx);
    const truncated = rows.length < preview.rows_total;
    const { table: _, ...said } = preview; // the citation names the version
    const structured = { ...said, rows, truncated, truncated_cells: cut };
    const text = rowText({ columns: preview.columns, rows, truncated, nextCursor: null, total: preview.rows_total });
    const note =
      cut.length === 0
        ? []
        : [
            `Truncated at ${CELL_CHARACTERS_MAX} characters: ` +
              `${[...new Set(cut.map(({ column }) => column))].join(", ")}`,
          ];
    return {
      structured: { ...structured, returned_rows: rows.length, next_cursor: null, citation },
      text: [text, ...note, citationLine(citation)].join("\n"),
    };
  },
});

type Cut = Preview["truncated_cells"];

/** The rows with long texts cut, and where they were; what the preview had cut before stands there too. */
function shortened(rows: Preview["rows"], before: Cut): { rows: Preview["rows"]; cut: Cut } {
  const cut = rows.flatMap((cells, row) =>
    Object.keys(cells).flatMap((column) => (isLong(cells[column]) ? [{ row, column }] : [])),
  );
  const had = before.filter(
    (cell) => cell.row < rows.length && !cut.some(({ row, column }) => row === cell.row && column === cell.column),
  );
  const short = (cell: unknown) => (isLong(cell) ? `${beginning(cell, CELL_CHARACTERS_MAX)}…` : cell);
  return {
    rows: rows.map((cells) => Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, short(cell)]))),
    cut: [...cut, ...had],
  };
}

const isLong = (cell: unknown): cell is string => typeof cell === "string" && cell.length > CELL_CHARACTERS_MAX;
