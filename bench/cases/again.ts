import type { Bench } from "../bench";
import { type Answer, pageOf } from "../client";
import { hastened, interleave } from "../measure";
import { FLIGHT } from "../queries";
import { line, ms, type Outcome, ratio } from "../report";

const TURNS = { warm: 20, least: 40, most: 400, budgetMs: 8_000 };

/** Greater than every value of the filtered columns. */
const EVERY_ROW = 1_000_000;

/** The same query repeated with its keys in a different order, compared with one whose filter no earlier query had. */
export async function measureAgain({ client, tables: { tiny, flights }, haste }: Bench): Promise<Outcome> {
  const top = { columns: FLIGHT, order_by: [{ column: "delay", direction: "desc" }] };
  const reads = [
    { name: "10 rows × 2", tableId: tiny.tableId, body: { columns: ["id", "name"] }, column: "id" },
    { name: "top 100 of the flights", tableId: flights.tableId, body: top, column: "distance" },
    {
      name: "top 10,000 of the flights",
      tableId: flights.tableId,
      body: { ...top, limit: 10_000 },
      column: "distance",
    },
  ];
  const rows = [];
  let bound = EVERY_ROW;
  const next = () => {
    bound += 1;
    return bound;
  };
  for (const { name, tableId, body, column } of reads) {
    const filters = (value: number) => [{ column, operator: "lt", value }];
    const again = { filters: filters(EVERY_ROW), ...body };
    pageOf(await client.query({ tableId, body: { ...body, filters: filters(EVERY_ROW) } }));
    const [first = 0, repeated = 0, listener = 0] = await interleave(
      [
        { name: "first", run: () => client.query({ tableId, body: { ...body, filters: filters(next()) } }) },
        { name: "again", run: async () => requireHit(await client.query({ tableId, body: again })) },
        { name: "listener", run: () => client.get("/healthz") },
      ],
      hastened(TURNS, haste),
    );
    rows.push({ name, first, repeated, listener });
  }
  const tinyRead = rows[0];
  return {
    lines: [
      ...rows
        .slice(1)
        .map(({ name, first, repeated }) => line(`${name}: again / first`, repeated / first, { most: 0.3 })),
      line("10 rows × 2 again", tinyRead?.repeated ?? Number.NaN, { most: 2 }, " ms"),
    ],
    figures: {
      head: ["read", "first, ms", "again, ms", "ratio", "GET /healthz, ms"],
      rows: rows.map(({ name, first, repeated, listener }) => [
        ...[name, ms(first), ms(repeated), ratio(repeated / first), ms(listener)],
      ]),
    },
  };
}

function requireHit({ headers }: Answer): void {
  if (headers["server-timing"] !== "cache;desc=hit") throw new Error("The rows of a repeated query were not cached");
}
