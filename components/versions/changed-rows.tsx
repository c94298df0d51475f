import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { previewCells } from "@/components/values/preview-cells";
import { PreviewGrid } from "@/components/values/preview-grid";
import { valueText } from "@/components/values/value-text";
import { formatPlural } from "@/lib/kernel/format";
import type { Comparison } from "@/lib/schemas/comparison";
import { type Bit, changedBits } from "./changed-bits";

type Rows = NonNullable<Comparison["rows"]>;
type Row = Record<string, unknown>;

/** One changed cell of one row. */
interface ChangedCell {
  id: string;
  key: string;
  /** The key is the same as in the row above, and is repeated only for screen readers. */
  isRepeated: boolean;
  column: string;
  before: Side;
  after: Side;
  /** Whether both cells are cut off and equal up to there. */
  isBeyond: boolean;
}

/** The cell's pieces; null for null. */
type Side = Bit[] | null;

/** Some of the rows that differ. */
export function ChangedRows({ comparison, rows }: { comparison: Comparison; rows: Rows }) {
  const types = new Map(comparison.profiles.map(({ name, from, to }) => [name, (to ?? from)?.type ?? "string"]));
  const { added, removed, changed } = rows.examples;
  return (
    <>
      {changed.length > 0 && (
        <Part id="changed" title="Changed rows" shown={changed.length} all={rows.changed ?? 0}>
          <DataTable
            label="Changed cells"
            columns={CELLS}
            rows={cellsOf(changed, types)}
            keyOf={({ id }) => id}
            scrolls="min-w-[34rem]"
          />
        </Part>
      )}
      {added.length > 0 && (
        <Part id="added" title="Added rows" shown={added.length} all={rows.added}>
          <RowGrid label="Examples of added rows" columns={rows.columns} types={types} rows={added} />
        </Part>
      )}
      {removed.length > 0 && (
        <Part id="removed" title="Removed rows" shown={removed.length} all={rows.removed}>
          <RowGrid label="Examples of removed rows" columns={rows.columns} types={types} rows={removed} />
        </Part>
      )}
    </>
  );
}

function Part({
  id,
  title,
  shown,
  all,
  children,
}: {
  id: string;
  title: string;
  shown: number;
  all: number;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={`comparison-${id}-rows`} className="comparison-part">
      <h3 id={`comparison-${id}-rows`}>{title}</h3>
      <p className="mb-3 text-muted text-sm">
        {shown < all
          ? `The first ${shown} of ${formatPlural(all, "row")}.`
          : all === 1
            ? "The only row."
            : `All ${formatPlural(all, "row")}.`}
      </p>
      {children}
    </section>
  );
}

function RowGrid({
  label,
  columns,
  types,
  rows,
}: {
  label: string;
  columns: readonly string[];
  types: ReadonlyMap<string, string>;
  rows: readonly Row[];
}) {
  const heads = columns.map((name) => ({ name, type: types.get(name) ?? "string" }));
  return <PreviewGrid label={label} data={previewCells({ columns: heads, rows: [...rows], truncated_cells: [] })} />;
}

const CELLS: readonly DataColumn<ChangedCell>[] = [
  {
    id: "key",
    head: "Row",
    cell: ({ key, isRepeated }) => (
      <span className={isRepeated ? "sr-only" : "wrap-anywhere font-mono text-[0.8125rem]"}>{key}</span>
    ),
  },
  { id: "column", head: "Column", cell: ({ column }) => <span className="font-mono text-[0.8125rem]">{column}</span> },
  { id: "before", head: "Before", cell: ({ before }) => <Value bits={before} mark="del" /> },
  {
    id: "after",
    head: "After",
    cell: ({ after, isBeyond }) => (
      <>
        <Value bits={after} mark="ins" />
        {isBeyond && <i className="text-muted"> (differs beyond what is shown)</i>}
      </>
    ),
  },
];

/** A cell in which everything that only this version has is marked. */
function Value({ bits, mark: Mark }: { bits: Side; mark: "del" | "ins" }) {
  if (bits === null) return <span className="null">null</span>;
  if (bits.every(({ text }) => text === "")) return <span className="null">empty string</span>;
  return (
    <span className="wrap-anywhere">
      {bits.map(({ text, isChanged }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a cell never move.
        isChanged ? <Mark key={at}>{text}</Mark> : <span key={at}>{text}</span>,
      )}
    </span>
  );
}

function cellsOf(changed: Rows["examples"]["changed"], types: ReadonlyMap<string, string>): ChangedCell[] {
  const text = (name: string, row: Row) => valueText(row[name], { name, type: types.get(name) ?? "string" });
  return changed.flatMap(({ key, before, after }, at) => {
    const named = Object.keys(key).map((name) => text(name, key));
    return Object.keys(after).map((column, place) => ({
      id: `${at} ${column}`,
      key: named.join(" · "),
      isRepeated: place > 0,
      column,
      ...sidesOf(
        { value: before[column], text: text(column, before) },
        { value: after[column], text: text(column, after) },
      ),
    }));
  });
}

interface Shown {
  value: unknown;
  text: string | null;
}

function sidesOf(before: Shown, after: Shown): Pick<ChangedCell, "before" | "after" | "isBeyond"> {
  const whole = ({ text }: Shown): Side => (text === null ? null : [{ text, isChanged: true }]);
  if (before.text === null || after.text === null)
    return { before: whole(before), after: whole(after), isBeyond: false };
  const bits = changedBits({ before: { ...before, text: before.text }, after: { ...after, text: after.text } });
  return { ...bits, isBeyond: ![...bits.before, ...bits.after].some(({ isChanged }) => isChanged) };
}
