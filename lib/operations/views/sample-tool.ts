import { z } from "zod";
import { rowPage } from "@/lib/describe/links";
import { formatCount } from "@/lib/kernel/format";
import { toolPart, type Viewed } from "@/lib/operations/tool-part";
import { type Preview, previewSchema } from "@/lib/schemas/table";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { beginning } from "./beginning";
import { citationLine } from "./cited-read";
import { fitting } from "./fitting";
import { rowReply, rowReplySchema } from "./row-reply";

/** Bytes of the rows' JSON; the text repeats them, without the names. */
const BYTES_MAX = 11_000;
const CELL_CHARACTERS_MAX = 200;

export const sampleRowsTool = toolPart({
  title: "Sample rows",
  description:
    "The first rows of a table's current version in its stored order (or those from a position), to see what " +
    "values look like. Do not use it for counts or answers: these rows are not a random sample. Cells over 200 " +
    "characters are truncated and listed in truncated_cells; query_table returns them in full.",
  input: z.strictObject({
    table_id: z.string().describe("A table_id, or dataset/table."),
    limit: z.int().min(1).max(100).default(5),
    position: z.int().min(1).default(1).describe("The first row's position, from 1."),
  }),
  output: rowReplySchema.extend({
    execution: z.strictObject({ truncated: z.boolean(), total_rows: z.int() }),
    truncated_cells: previewSchema.shape.truncated_cells,
  }),
  view(preview: Preview, { args, located: version, ctx }: Viewed<{ position: number }, TableVersion>) {
    const { position } = args;
    const { rows, cut } = shortened(fitting(preview.rows, BYTES_MAX, 1), preview.truncated_cells);
    const { columns, rows_total: total } = preview;
    const truncated = rows.length < total;
    const long = [...new Set(cut.map(({ column }) => column))];
    return rowReply({
      status: truncated
        ? `PARTIAL: ${formatCount(rows.length)} of ${formatCount(total)} rows`
        : `COMPLETE: ${formatCount(rows.length)} row${rows.length === 1 ? "" : "s"}`,
      advice: [
        ...(long.length === 0 ? [] : [`Truncated at ${CELL_CHARACTERS_MAX} characters: ${long.join(", ")}.`]),
        ...(truncated && position === 1 ? ["The first rows as stored: count, filter and sort with query_table."] : []),
        ...(rows.length === 1 ? [`The row's own page: ${rowPage(ctx.baseUrl, version, position)}`] : []),
      ],
      columns,
      rows,
      nextCursor: null,
      citation: citationLine(version, ctx),
      more: {
        execution: { truncated, total_rows: total },
        truncated_cells: cut,
      },
    });
  },
});

type Cut = Preview["truncated_cells"];

/** The rows with long strings cut, and where; includes what the preview had cut before. */
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
