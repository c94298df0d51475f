import "server-only";
import { measureOf } from "@/components/chart/measure";
import type { CurvePoint } from "@/components/dataset/data-curve";
import { actingAs } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { exampleQuery, type QueryBody } from "@/lib/describe/snippets";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { execute } from "@/lib/operations/execute";
import { queryTable } from "@/lib/operations/query-table";
import type { Column } from "@/lib/schemas/column";
import type { DatasetEntry, TableEntry } from "@/lib/schemas/dataset";
import { findDatasets, readPublicDataset, readSchema } from "./catalogue";
import { shownForNow } from "./passing";

/** What the home page shows and queries: always the same dataset, whatever is published next. */
export interface HomeExample {
  entry: DatasetEntry;
  table: TableEntry;
  columns: readonly Column[];
  query: QueryBody;
  /** The rows as a curve, if the table is a time series that is small enough to draw completely. */
  curve: { measure: Column; points: CurvePoint[] } | undefined;
  /** Whether the curve is only temporarily missing. */
  isPassing?: true;
}

/** A showcase dataset that is small, well known and has an interesting curve. */
const PREFERRED = "mauna-loa-co2";
const CURVE_ROWS_MAX = 2000;
const QUERY_ROWS = 5;

/**
 * The preferred dataset, else the first by title; undefined while the catalogue is empty, or if the dataset cannot be
 * read: the page is complete without it.
 */
export async function homeExample(ctx: Context): Promise<HomeExample | undefined> {
  try {
    return await findExample(ctx);
  } catch (error) {
    ctx.onBackgroundError(error);
    await shownForNow();
    return undefined;
  }
}

async function findExample(ctx: Context): Promise<HomeExample | undefined> {
  const entry =
    (await readPublicDataset(PREFERRED)) ?? (await findDatasets({ sort: "title", limit: 1 }, ctx)).datasets[0];
  const table = entry?.tables[0];
  if (!entry || !table) return undefined;
  const { columns } = await readSchema(table.tableId, ctx);
  const time = columns.find(({ type }) => measureOf(type) === "time");
  const measure = columns.find(({ type, profile }) => profile.histogram && measureOf(type) === "number");
  if (!time || !measure || table.rows > CURVE_ROWS_MAX || table.rows < 2)
    return { entry, table, columns, query: exampleQuery(columns), curve: undefined };
  const newest = {
    columns: [time.name, measure.name],
    order_by: [{ column: time.name, direction: "desc" }],
    limit: QUERY_ROWS,
  };
  return {
    entry,
    table,
    columns,
    query: newest,
    ...(await readCurve(table, time, measure, ctx)),
  };
}

/** Without the curve if its query failed, so that the page is still shown. */
async function readCurve(
  table: TableEntry,
  time: Column,
  measure: Column,
  ctx: Context,
): Promise<Pick<HomeExample, "curve" | "isPassing">> {
  try {
    return { curve: { measure, points: await readPoints(table, time, measure, ctx) } };
  } catch (error) {
    ctx.onBackgroundError(error);
    return { curve: undefined, isPassing: true };
  }
}

/** Every row that has both, in order of time. */
async function readPoints(table: TableEntry, time: Column, measure: Column, ctx: Context): Promise<CurvePoint[]> {
  const body = {
    columns: [time.name, measure.name],
    order_by: [{ column: time.name, direction: "asc" }],
    limit: CURVE_ROWS_MAX,
  };
  const { page } = await execute(
    queryTable,
    { path: { table_id: table.tableId }, body: parseJsonBody(JSON.stringify(body)) },
    actingAs(ctx, { kind: "service" }),
  );
  const { rows } = JSON.parse(Buffer.from(page.body).toString()) as { rows: Record<string, unknown>[] };
  const points = rows.map((row) => ({
    at: new Date(String(row[time.name])),
    value: Number(row[measure.name] ?? Number.NaN),
  }));
  return points.filter(({ at, value }) => Number.isFinite(at.getTime()) && Number.isFinite(value));
}
