import type { Bench } from "../bench";
import { pageOf } from "../client";
import { hastened, interleave } from "../measure";
import { line, ms, type Outcome } from "../report";

const TURNS = { warm: 200, least: 200, most: 1500, budgetMs: 12_000 };

/** The cost of a trivial query beyond the framework's trivial reply and DuckDB's own work. */
export async function measureFloor({ client, raw, tables: { tiny }, haste }: Bench): Promise<Outcome> {
  await raw.attach(tiny.copyPath, "tiny");
  const query = { tableId: tiny.tableId, body: { columns: ["id", "name"] } };
  pageOf(await client.queryAnonymously(query));
  const [listener = 0, floor = 0, duckdb = 0, anonymous = 0, keyed = 0] = await interleave(
    [
      { name: "listener", run: () => client.get("/healthz") },
      { name: "floor", run: () => client.get("/api/v2/public/no-such-route") },
      { name: "DuckDB", run: () => raw.jsonInSql("SELECT c0 AS id, c1 AS name FROM tiny.t LIMIT 100") },
      { name: "anonymous", run: () => client.queryAnonymously(query) },
      { name: "keyed", run: () => client.query(query) },
    ],
    hastened(TURNS, haste),
  );
  return {
    lines: [
      line(
        "anonymous query, added over Next's trivial route handler and DuckDB",
        anonymous - floor - duckdb,
        { most: 2 },
        " ms",
      ),
      line("the same with a use key", keyed - floor - duckdb, { most: 2 }, " ms"),
    ],
    figures: {
      head: ["request", "median ms"],
      rows: [
        ["GET /healthz: our listener alone", ms(listener)],
        ["GET of an unknown path: listener and Next's route handler, 404", ms(floor)],
        ["DuckDB, the same rows as JSON, in this process", ms(duckdb)],
        ["POST query, anonymous", ms(anonymous)],
        ["POST query with a use key", ms(keyed)],
      ],
    },
  };
}
