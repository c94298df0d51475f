import type { ReactNode } from "react";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatDay, formatUntil, formatUtc } from "@/lib/kernel/format";

/** One thing that is said of every row, in a column of its own. */
export interface Fact<Row> {
  head: string;
  /** What is in the column; `small` if it is in small print below the name, where phones have it instead. */
  cell: (row: Row, small: boolean) => ReactNode;
  /** Whether the column remains on phones. */
  stays?: true;
  isNumber?: true;
}

interface Props<Row> {
  /** What the list contains, for screen readers. */
  label?: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What is shown if there is nothing. */
  empty?: ReactNode;
  name: (row: Row) => ReactNode;
  /** In small print below the name. */
  note?: (row: Row) => ReactNode;
  /** Below that, such as a form that unfolds. */
  more?: (row: Row) => ReactNode;
  /** At the end of the row, such as its actions. */
  aside?: (row: Row) => ReactNode;
  /** With facts the list is a table, whose first column has this head. */
  head?: string;
  facts?: readonly Fact<Row>[];
}

/** THE list of what a person or a workspace has: each thing's name, facts and actions. */
export function OwnList<Row>(props: Props<Row>) {
  const { label = "", rows, keyOf, empty, facts, name, note, more, aside } = props;
  if (rows.length === 0) return typeof empty === "string" ? <p className="text-muted text-sm">{empty}</p> : empty;
  if (facts) return <DataTable label={label} columns={columnsOf(props, facts)} rows={rows} keyOf={keyOf} />;
  return (
    <ul aria-label={label || undefined} className="rows">
      {rows.map((row) => (
        <li key={keyOf(row)} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1.5">
          <div className="wrap-anywhere min-w-0 flex-1 basis-52">
            <p className="font-medium">{name(row)}</p>
            {note && <div className="mt-0.5 text-muted text-xs">{note(row)}</div>}
          </div>
          {aside && <div className="flex flex-wrap items-center gap-2">{aside(row)}</div>}
          {more && <div className="flex basis-full flex-wrap items-center gap-x-3 gap-y-2">{more(row)}</div>}
        </li>
      ))}
    </ul>
  );
}

function columnsOf<Row>(props: Props<Row>, facts: readonly Fact<Row>[]): DataColumn<Row>[] {
  const { head = "Name", name, note, more, aside } = props;
  const small = facts.filter((fact) => !fact.stays);
  const first: DataColumn<Row> = {
    id: "name",
    head,
    isRest: true,
    cell: (row) => (
      <>
        <div className="wrap-anywhere min-w-24 font-medium">{name(row)}</div>
        {note && <div className="wrap-anywhere text-muted text-xs">{note(row)}</div>}
        {small.length > 0 && (
          <div className="mt-1 flex flex-wrap gap-x-3 text-muted text-xs sm:hidden">
            {small.map((fact) => (
              <span key={fact.head}>{fact.cell(row, true)}</span>
            ))}
          </div>
        )}
        {more?.(row)}
      </>
    ),
  };
  const others = facts.map(
    ({ head: id, cell, stays, isNumber }): DataColumn<Row> => ({
      id,
      head: id,
      ...(isNumber && { isNumber }),
      ...(!stays && { isWide: true }),
      cell: (row) => cell(row, false),
    }),
  );
  if (!aside) return [first, ...others];
  const end = (row: Row) => (
    <div className="flex flex-col justify-end gap-2 text-right sm:flex-row sm:items-center">{aside(row)}</div>
  );
  return [first, ...others, { id: "aside", head: "Actions", isHeadHidden: true, cell: end }];
}

const SOON_MS = 14 * 86_400_000;
/** What was just created may be later than the page's clock. */
const CLOCKS_MS = 5_000;

/** The fields of a row that are instants, or null for never. */
type InstantOf<Row> = { [Name in keyof Row]-?: Row[Name] extends string | null ? Name : never }[keyof Row];

/** When something happened or will happen, and who did it; in small print with its verb: `never used`. */
export const instant = <Row,>(
  head: string,
  verb: string,
  field: InstantOf<Row>,
  now: Date,
  by?: (row: Row) => string | null,
): Fact<Row> => ({
  head,
  cell(row, small) {
    const at = row[field] as string | null;
    if (at === null) return <span className="text-faint">never{small && ` ${verb}`}</span>;
    const who = by?.(row);
    return (
      <>
        {small && `${verb} `}
        <When at={at} now={now} />
        {who && (
          <span title={who} className={small ? undefined : "block max-w-40 truncate text-muted text-xs"}>
            {small && " "}by {who}
          </span>
        )}
      </>
    );
  },
});

function When({ at, now }: { at: string; now: Date }) {
  const left = Date.parse(at) - now.getTime();
  if (left < CLOCKS_MS) return <RelativeTime at={at} now={now} />;
  const isSoon = left < SOON_MS;
  return (
    <time dateTime={at} title={formatUtc(at)} className={isSoon ? "font-medium text-warning" : undefined}>
      {isSoon ? formatUntil(at, now) : formatDay(at)}
    </time>
  );
}
