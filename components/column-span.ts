/** As many columns as a page draws at once: profiles are heavy. */
const COLUMNS_DRAWN = 40;

export interface ColumnSpan {
  /** Position of the first column drawn, from 0, and of the one behind the last. */
  from: number;
  to: number;
  total: number;
  /** Positions at which the spans before and behind begin. */
  before: number | undefined;
  behind: number | undefined;
}

/** Which columns of a wide table a page draws; `from` is what the address says, counted from 1. */
export function columnSpan(total: number, from: string | undefined): ColumnSpan {
  const asked = /^\d{1,6}$/.test(from ?? "") ? Number(from) - 1 : 0;
  const start = asked > 0 && asked < total ? asked : 0;
  const to = Math.min(start + COLUMNS_DRAWN, total);
  return { from: start, to, total, before: start > 0 ? Math.max(0, start - COLUMNS_DRAWN) : undefined, behind: to < total ? to : undefined };
}
