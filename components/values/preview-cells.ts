import type { Preview } from "@/lib/schemas/table";
import { unitText } from "./unit-text";
import { isNumeric, valueText } from "./value-text";

/** A cell as shown; `text` is null for null. `cut`: the preview contains only the beginning. */
export interface PreviewCell {
  text: string | null;
  cut?: true;
}

export interface PreviewColumn {
  name: string;
  /** With the unit: `int32, min`. */
  type: string;
  numeric: boolean;
}

export interface PreviewGridData {
  columns: PreviewColumn[];
  rows: PreviewCell[][];
}

interface Shown extends Pick<Preview, "rows" | "truncated_cells"> {
  columns: readonly { name: string; type: string; unit?: string | null | undefined }[];
}

/** A preview as plain text cells, which is all that is sent to the browser. */
export function previewCells(preview: Shown): PreviewGridData {
  const cut = new Set(preview.truncated_cells.map(({ row, column }) => `${row}\n${column}`));
  const heads = preview.columns.map(({ name, type, unit }) => ({
    name,
    type: unit ? `${type}, ${unitText(unit)}` : type,
    numeric: isNumeric(type),
  }));
  const rows = preview.rows.map((row, at) =>
    preview.columns.map((column): PreviewCell => {
      const text = valueText(row[column.name], column);
      return cut.has(`${at}\n${column.name}`) ? { text, cut: true } : { text };
    }),
  );
  return { columns: heads, rows };
}
