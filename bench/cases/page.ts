import type { Bench } from "../bench";
import { pageOf } from "../client";
import { interleave } from "../measure";
import { MIXED } from "../queries";
import { line, ms, type Outcome, ratio } from "../report";

const PAGE = 10_000;
const DEPTH = 20;

/** Whole pages over HTTP against DuckDB's own JSON of the same rows from the same read copy. */
export async function measurePage({ client, raw, tables: { b10 } }: Bench): Promise<Outcome> {
  await raw.attach(b10.copyPath, "copy");
  const query = (body: object) =>
    client.query({ tableId: b10.tableId, body: { columns: MIXED, limit: PAGE, ...body } });
  const deep = await cursorAfter(DEPTH, query);
  const last = MIXED.map((name, index) => `c${index} AS ${name}`).join(", ");
  const measured = [
    { name: "first page, no order", body: {}, sql: `SELECT ${last} FROM copy.t LIMIT ${PAGE}` },
    {
      name: `page ${DEPTH + 1}, no order`,
      body: { cursor: deep },
      sql: `SELECT ${last} FROM copy.t WHERE rowid >= ${DEPTH * PAGE} LIMIT ${PAGE}`,
    },
    {
      name: "first page, by the sorted time",
      body: { order_by: [{ column: "seen_at" }] },
      sql: `SELECT ${last} FROM copy.t ORDER BY c7 LIMIT ${PAGE}`,
    },
  ];
  const rows = [];
  for (const { name, body, sql } of measured) {
    const turns = [
      { name: "ours", run: () => query(body) },
      { name: "DuckDB", run: () => raw.jsonInSql(sql) },
    ];
    const [ours = 0, theirs = 0] = await interleave(turns, { least: 15 });
    rows.push({ name, ours, theirs });
  }
  return {
    lines: rows.map(({ name, ours, theirs }) =>
      line(`10,000 × 12, ${name} / DuckDB's own JSON`, ours / theirs, { most: 1.5 }),
    ),
    figures: {
      head: ["page", "ours over HTTP, ms", "DuckDB's to_json, ms", "ratio"],
      rows: rows.map(({ name, ours, theirs }) => [name, ms(ours), ms(theirs), ratio(ours / theirs)]),
    },
  };
}

async function cursorAfter(
  pages: number,
  query: (body: object) => ReturnType<Bench["client"]["query"]>,
): Promise<string> {
  let cursor: string | null = null;
  for (let page = 0; page < pages; page += 1) cursor = pageOf(await query(cursor ? { cursor } : {})).next_cursor;
  if (!cursor) throw new Error("The table is too small for this case");
  return cursor;
}
