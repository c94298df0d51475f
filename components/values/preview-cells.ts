import type { Preview } from "@/lib/schemas/table";
import { isNumeric, valueText } from "./value-text";

/** A cell as shown; `text` is null for null. `cut`: the preview contains only the beginning. */
export interface PreviewCell {
  text: string | null;
  cut?: true;
}

export interface PreviewColumn {
  name: string;
  type: string;
  numeric: boolean;
}

export interface PreviewGridData {
  columns: PreviewColumn[];
  rows: PreviewCell[][];
}

/** A preview as plain text cells, which is all that travels to the browser. */
export function previewCells(preview: Pick<Preview, "columns" | "rows" | "truncated_cells">): PreviewGridData {
  const cut = new Set(preview.truncated_cells.map(({ row, column }) => `${row}\n${column}`));
  const columns = preview.columns.map(({ name, type }) => ({ name, type, numeric: isNumeric(type) }));
  const rows = preview.rows.map((row, at) =>
    columns.map((column): PreviewCell => {
      const text = valueText(row[column.name], column);
      return cut.has(`${at}\n${column.name}`) ? { text, cut: true } : { text };
    }),
  );
  return { columns, rows };
}
