import { formatCursor, parseCursor } from "@/lib/engine/run/cursor";
import { derivedKey } from "@/lib/storage/secret";
import type { Bench } from "../bench";
import { pageOf } from "../client";
import { interleave } from "../measure";
import { MIXED } from "../queries";
import { line, ms, type Outcome, ratio } from "../report";
import { say } from "../say";
import type { BenchTable } from "../tables";

const PAGE = 10_000;

interface Pagination {
  table: "flights" | "b10";
  name: string;
  columns: readonly string[];
  order_by: readonly { column: string; direction?: "desc" }[];
  /** Whether to read every page; otherwise the last cursor is computed from the first. */
  whole: boolean;
}

const FLIGHT = ["date", "delay", "distance", "origin", "destination"];

const ORDERS: readonly Pagination[] = [
  { table: "flights", name: "no order", columns: FLIGHT, order_by: [], whole: true },
  {
    table: "flights",
    name: "by a string with 229 values",
    columns: FLIGHT,
    order_by: [{ column: "origin" }],
    whole: true,
  },
  {
    table: "flights",
    name: "by an unsorted number, descending",
    columns: FLIGHT,
    order_by: [{ column: "delay", direction: "desc" }],
    whole: true,
  },
  { table: "b10", name: "no order", columns: MIXED, order_by: [], whole: true },
  { table: "b10", name: "by a string with 10 values", columns: MIXED, order_by: [{ column: "kind" }], whole: false },
  {
    table: "b10",
    name: "by an unsorted number without ties",
    columns: MIXED,
    order_by: [{ column: "random_id" }],
    whole: false,
  },
  { table: "b10", name: "by the sorted time", columns: MIXED, order_by: [{ column: "seen_at" }], whole: false },
];

/** Compares the last full page with the first. */
export async function measurePagination(bench: Bench): Promise<Outcome> {
  const rows = [];
  for (const order of ORDERS) {
    const cursor = await (order.whole ? cursorByPages(bench, order) : computedCursor(bench, order));
    const turns = [
      { name: "first", run: () => page(bench, order) },
      { name: "last", run: () => page(bench, order, cursor) },
    ];
    const [first = 0, last = 0] = await interleave(turns, { budgetMs: 5_000 });
    rows.push({ order, first, last });
    say(`pagination: ${order.table}, ${order.name}: ${ms(first)} to ${ms(last)} ms`);
  }
  return {
    lines: rows.map(({ order, first, last }) =>
      line(`${order.table}, ${order.name}: last page / first page`, last / first, { most: 1.5 }),
    ),
    figures: {
      head: ["table", "order", "reached by", "first page, ms", "last page, ms", "ratio"],
      rows: rows.map(({ order, first, last }) => [
        order.table,
        order.name,
        order.whole ? "every page" : "a computed cursor",
        ms(first),
        ms(last),
        ratio(last / first),
      ]),
    },
  };
}

async function page({ client, tables }: Bench, { table, columns, order_by }: Pagination, cursor?: string) {
  const body = { columns, order_by, limit: PAGE, ...(cursor && { cursor }) };
  return pageOf(await client.query({ tableId: tables[table].tableId, body }));
}

/** Reads every page and returns the cursor of the last full one. Throws if a row is missing. */
async function cursorByPages(bench: Bench, order: Pagination): Promise<string> {
  const rowsTotal = bench.tables[order.table].rows;
  let seen = 0;
  let lastFull: string | undefined;
  for (let cursor: string | undefined; seen < rowsTotal; ) {
    const reply = await page(bench, order, cursor);
    if (reply.rows.length === PAGE) lastFull = cursor;
    seen += reply.rows.length;
    cursor = reply.next_cursor ?? undefined;
    if (!cursor) break;
  }
  if (seen !== rowsTotal || !lastFull)
    throw new Error(`Pagination over ${order.table} returned ${seen} of ${rowsTotal} rows`);
  return lastFull;
}

/**
 * The cursor that pagination would have returned before its last page: that of the first page, moved to the row
 * before it.
 */
async function computedCursor(bench: Bench, order: Pagination): Promise<string> {
  const table = bench.tables[order.table];
  const { next_cursor } = await page(bench, order);
  const secret = derivedKey("cursors");
  const cursor = parseCursor(next_cursor ?? "", secret);
  if (!cursor) throw new Error("The first page returned no cursor");
  return formatCursor({ ...cursor, position: await positionBeforeLastPage(bench, order, table) }, secret);
}

async function positionBeforeLastPage({ raw }: Bench, { order_by }: Pagination, table: BenchTable): Promise<bigint> {
  const keys = order_by.map(({ column, direction = "asc" }) => `${column} ${direction} NULLS LAST`);
  const order = [...keys, "file_row_number"].join(", ");
  const from = `read_parquet('${table.parquetPath}')`;
  const [row] = await raw.rows(
    `SELECT file_row_number::VARCHAR AS p FROM ${from} ORDER BY ${order} LIMIT 1 OFFSET ${table.rows - PAGE - 1}`,
  );
  return BigInt(String(row?.p));
}
