import { formatCount } from "@/lib/kernel/format";

/** The most column names that one page lists: more could outweigh the rest of the page. */
const NAMES_MAX = 300;
/** The number of columns that a page shows at once, because profiles are heavy. */
const COLUMNS_DRAWN = 8;

export interface ColumnSpan {
  /** Index of the first column shown, from 0, and of the one after the last. */
  from: number;
  to: number;
  total: number;
  /** Indexes at which the previous and next spans begin. */
  before: number | undefined;
  behind: number | undefined;
}

/** Which columns of a wide table a page shows; `from` is the query parameter, counted from 1. */
export function columnSpan(total: number, from: string | undefined): ColumnSpan {
  const asked = /^\d{1,6}$/.test(from ?? "") ? Number(from) - 1 : 0;
  const start = asked > 0 && asked < total ? asked : 0;
  const to = Math.min(start + COLUMNS_DRAWN, total);
  return {
    from: start,
    to,
    total,
    before: start > 0 ? Math.max(0, start - COLUMNS_DRAWN) : undefined,
    behind: to < total ? to : undefined,
  };
}

/** `, columns 1 to 8 of 30`; empty if all are shown. */
export const spanText = ({ from, to, total }: ColumnSpan): string =>
  to - from === total ? "" : `, columns ${formatCount(from + 1)} to ${formatCount(to)} of ${formatCount(total)}`;

/**
 * Links to the previous and next columns; `search` is the rest of the query string, up to the parameter.
 */
export function SpanLinks({ span, search }: { span: ColumnSpan; search: string }) {
  if (span.before === undefined && span.behind === undefined) return null;
  const link = (from: number | undefined, words: string) =>
    from !== undefined && (
      <a className="link" href={`${search}from_column=${from + 1}#columns`}>
        {words}
      </a>
    );
  return (
    <p className="mt-3 flex flex-wrap gap-4 text-sm">
      <span className="text-muted tabular-nums">
        Columns {formatCount(span.from + 1)} to {formatCount(span.to)} of {formatCount(span.total)}
      </span>
      {link(span.before, "Previous columns")}
      {link(span.behind, "Next columns")}
    </p>
  );
}

/** Goes to the page that starts with a column, by its name; nothing if all are shown. `table` is the URL parameter. */
export function ColumnIndex({ names, span, table }: { names: readonly string[]; span: ColumnSpan; table?: string }) {
  if (span.to - span.from === span.total) return null;
  return (
    <form action="#columns" className="mb-4 flex flex-wrap items-center gap-2 text-sm">
      {table && <input type="hidden" name="table" value={table} />}
      <label htmlFor="from-column">Go to column</label>
      <select id="from-column" name="from_column" className="field w-40 sm:w-56" defaultValue={span.from + 1}>
        {names.slice(0, NAMES_MAX).map((name, at) => (
          <option key={name} value={at + 1}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" className="button">
        Go
      </button>
    </form>
  );
}
