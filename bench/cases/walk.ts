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

interface Walk {
  table: "flights" | "b10";
  name: string;
  columns: readonly string[];
  order_by: readonly { column: string; direction?: "desc" }[];
  /** Walked page by page; else the last cursor is made from the first. */
  whole: boolean;
}

const FLIGHT = ["date", "delay", "distance", "origin", "destination"];

const WALKS: readonly Walk[] = [
  { table: "flights", name: "no order", columns: FLIGHT, order_by: [], whole: true },
  {
    table: "flights",
    name: "by a text with 229 values",
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
  { table: "b10", name: "by a text with 10 values", columns: MIXED, order_by: [{ column: "kind" }], whole: false },
  {
    table: "b10",
    name: "by an unsorted number without ties",
    columns: MIXED,
    order_by: [{ column: "random_id" }],
    whole: false,
  },
  { table: "b10", name: "by the sorted time", columns: MIXED, order_by: [{ column: "seen_at" }], whole: false },
];

/** The last full page of a walk against its first. */
export async function measureWalk(bench: Bench): Promise<Outcome> {
  const rows = [];
  for (const walk of WALKS) {
    const cursor = await (walk.whole ? walkToTheEnd(bench, walk) : jumpToTheEnd(bench, walk));
    const turns = [
      { name: "first", run: () => page(bench, walk) },
      { name: "last", run: () => page(bench, walk, cursor) },
    ];
    const [first = 0, last = 0] = await interleave(turns, { budgetMs: 5_000 });
    rows.push({ walk, first, last });
    say(`walk: ${walk.table}, ${walk.name}: ${ms(first)} to ${ms(last)} ms`);
  }
  return {
    lines: rows.map(({ walk, first, last }) =>
      line(`${walk.table}, ${walk.name}: last page / first page`, last / first, { most: 1.5 }),
    ),
    figures: {
      head: ["table", "walk", "reached by", "first page, ms", "last page, ms", "ratio"],
      rows: rows.map(({ walk, first, last }) => [
        walk.table,
        walk.name,
        walk.whole ? "every page" : "a made cursor",
        ms(first),
        ms(last),
        ratio(last / first),
      ]),
    },
  };
}

async function page({ client, tables }: Bench, { table, columns, order_by }: Walk, cursor?: string) {
  const body = { columns, order_by, limit: PAGE, ...(cursor && { cursor }) };
  return pageOf(await client.query({ tableId: tables[table].tableId, body }));
}

/** Reads every page; returns the cursor of the last one that is full. Throws when a row is missing. */
async function walkToTheEnd(bench: Bench, walk: Walk): Promise<string> {
  const rowsTotal = bench.tables[walk.table].rows;
  let seen = 0;
  let lastFull: string | undefined;
  for (let cursor: string | undefined; seen < rowsTotal; ) {
    const reply = await page(bench, walk, cursor);
    if (reply.rows.length === PAGE) lastFull = cursor;
    seen += reply.rows.length;
    cursor = reply.next_cursor ?? undefined;
    if (!cursor) break;
  }
  if (seen !== rowsTotal || !lastFull)
    throw new Error(`The walk over ${walk.table} returned ${seen} of ${rowsTotal} rows`);
  return lastFull;
}

/**
 * The cursor that the walk itself would have given before its last page: the first page's, moved to the row that stands
 * there.
 */
async function jumpToTheEnd(bench: Bench, walk: Walk): Promise<string> {
  const table = bench.tables[walk.table];
  const { next_cursor } = await page(bench, walk);
  const secret = derivedKey("cursors");
  const cursor = parseCursor(next_cursor ?? "", secret);
  if (!cursor) throw new Error("The first page gave no cursor");
  return formatCursor({ ...cursor, position: await positionBeforeLastPage(bench, walk, table) }, secret);
}

async function positionBeforeLastPage({ raw }: Bench, { order_by }: Walk, table: BenchTable): Promise<bigint> {
  const keys = order_by.map(({ column, direction = "asc" }) => `${column} ${direction} NULLS LAST`);
  const order = [...keys, "file_row_number"].join(", ");
  const from = `read_parquet('${table.parquetPath}')`;
  const [row] = await raw.rows(
    `SELECT file_row_number::VARCHAR AS p FROM ${from} ORDER BY ${order} LIMIT 1 OFFSET ${table.rows - PAGE - 1}`,
  );
  return BigInt(String(row?.p));
}
