import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import { readingParquet } from "@/lib/engine/duckdb/source";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import type { RowsPlan } from "@/lib/engine/plan/planned";
import { columnAt, plannedColumns } from "@/lib/engine/plan/result-columns";
import { type CountedColumn, NOT_FINITE, nullCountsSql, rowProfileSql } from "@/lib/engine/sql/row-profile-sql";
import type { CursorSecret } from "./cursor";
import { planQuery } from "./plan-query";
import { readPlanned } from "./read-planned";
import type { SealedVersion } from "./sealed-version";
import { settleNear } from "./settle-near";

/** What was counted of one column. */
export interface ColumnCounts {
  /** Its index among those of the table and those that the body adds. */
  column: number;
  name: string;
  type: string;
  nulls: number;
  /** By bin. */
  bins?: number[];
  /** The most frequent values as JSON text, the most frequent first. */
  values?: { json: string; count: number }[];
}

/** Counts of the rows that match. */
export interface RowProfile {
  rows: number;
  columns: ColumnCounts[];
}

/**
 * Counts the values of columns over the rows that a body's filters, search and distance match, in at most two
 * statements in the slot and the time of a query. `counted` says what is counted of each of the body's columns.
 */
export async function profileRows(
  engine: Engine,
  version: SealedVersion,
  body: QueryBody,
  counted: (column: number) => CountedColumn,
  { secret, caller }: { secret: CursorSecret; caller: Caller },
): Promise<RowProfile> {
  const planned = planQuery(version, body, secret).plan as RowsPlan;
  const columns = plannedColumns(planned, version.columns);
  const wanted = planned.columns.map(counted);
  const grouped = wanted.filter(({ edges, hasValues }) => edges || hasValues);
  const others = wanted.filter((each) => !grouped.includes(each)).map(({ column }) => column);
  const [[total = 0, ...nulls] = [], groups] = await engine.run(async (session) => {
    const footer = await readingParquet(() => engine.footer(session, version));
    const plan = settleNear(planned, columns, footer) as RowsPlan;
    return await readPlanned(engine, version, plan, async (source) => {
      const [counts] = await session.all(nullCountsSql(plan, others, source), source.kind === "copy");
      const rows = grouped.length > 0 ? await session.all(rowProfileSql(plan, grouped, columns, source)) : [];
      return [counts?.map(Number), rows] as const;
    });
  }, caller);
  const byColumn = Map.groupBy(groups, ([set]) => grouped[Number(set)]?.column);
  return {
    rows: total,
    columns: wanted.map((each) => {
      const { name, type } = columnAt(columns, each.column);
      const found = grouped.includes(each)
        ? countsOf(each, byColumn.get(each.column) ?? [])
        : { nulls: nulls[others.indexOf(each.column)] ?? 0 };
      return { column: each.column, name, type, ...found };
    }),
  };
}

function countsOf(
  { edges, hasValues }: CountedColumn,
  rows: readonly unknown[][],
): Pick<ColumnCounts, "nulls" | "bins" | "values"> {
  const counts = rows.flatMap(([, n, text]) => (text === null ? [] : [{ text: String(text), count: Number(n) }]));
  const nulls = Number(rows.find(([, , text]) => text === null)?.[1] ?? 0);
  if (hasValues)
    return { nulls, values: counts.flatMap(({ text, count }) => (text === "" ? [] : [{ json: text, count }])) };
  const bins = (edges ?? []).slice(1).map(() => 0);
  for (const { text, count } of counts) if (Number(text) !== NOT_FINITE) bins[Number(text)] = count;
  return { nulls, bins };
}
