import type { ColumnDef } from "@tanstack/react-table";
import { type StaticFeatures, staticTable } from "@/components/ui/static-table";
import type { PreviewCell, PreviewColumn, PreviewGridData } from "./preview-cells";

/** Longer strings are folded and show only their beginning. */
const TEXT_SHOWN = 48;
/** Longer strings are cut to keep the page small. */
const TEXT_MOST = 300;

type Row = PreviewCell[];

/** Rows of a table: the first column remains visible, nulls are marked, long strings expand on demand. */
export function PreviewGrid({ data, label }: { data: PreviewGridData; label: string }) {
  const table = staticTable({ columns: data.columns.map(columnDef), data: data.rows });
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
      tabIndex={0}
      className="relative max-h-[32rem] overflow-auto rounded-md border border-line"
    >
      <table className="grid-table w-max min-w-full border-separate border-spacing-0 text-[0.8125rem] leading-5">
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header, at) => (
                <HeadCell key={header.id} column={data.columns[at]} first={at === 0} />
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell, at) => (
                <BodyCell
                  key={cell.id}
                  cell={cell.getValue<PreviewCell>()}
                  numeric={data.columns[at]?.numeric ?? false}
                  first={at === 0}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const columnDef = (column: PreviewColumn, at: number): ColumnDef<StaticFeatures, Row> => ({
  id: String(at),
  header: column.name,
  accessorFn: (row) => row[at],
});

function HeadCell({ column, first }: { column: PreviewColumn | undefined; first: boolean }) {
  return (
    <th
      scope="col"
      className={
        "sticky top-0 border-line border-b bg-surface px-3 py-2 align-bottom " +
        `${first ? "left-0 z-20 max-w-40 border-r sm:max-w-64" : "z-10"} ` +
        `${column?.numeric ? "text-right" : "text-left"}`
      }
    >
      <span className="block font-medium font-mono">{column?.name}</span>
      <span className="block font-normal text-faint text-xs">{column?.type}</span>
    </th>
  );
}

// Because there are many cells, the style sheet styles them instead of class attributes on each.
function BodyCell({ cell, numeric, first }: { cell: PreviewCell; numeric: boolean; first: boolean }) {
  const look = numeric ? "number" : undefined;
  const content = <CellText cell={cell} />;
  if (!first) return <td className={look}>{content}</td>;
  return (
    <th scope="row" className={look}>
      {content}
    </th>
  );
}

function CellText({ cell }: { cell: PreviewCell }) {
  const { text, cut } = cell;
  if (text === null) return <span className="null">null</span>;
  if (text === "") return <span className="null">empty</span>;
  if (text.length <= TEXT_SHOWN && !cut) return text;
  return (
    <details>
      <summary>
        {text.slice(0, TEXT_SHOWN)}
        <b>… more</b>
      </summary>
      <p>{text.slice(0, TEXT_MOST)}</p>
      {(cut || text.length > TEXT_MOST) && (
        <p className="null">Shortened here. The explorer and queries show the full value.</p>
      )}
    </details>
  );
}
