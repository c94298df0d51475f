import type { Bench } from "../bench";
import { type Client, pageOf } from "../client";
import { interleave, median } from "../measure";
import { type Probe, probesOf, READ_CASES, type ReadCase, sourceOf, WORD_CASES } from "../queries";
import type { RawDuckDb } from "../raw";
import { line, ms, type Outcome, ratio } from "../report";
import { say } from "../say";
import type { BenchTable } from "../tables";

/** Below this, a DuckDB query is dominated by the round trip to any service. */
const FLOOR_BOUND_MS = 4;

interface Measured {
  read: ReadCase;
  ours: number;
  objects: number;
  inSql: number;
}

/** First pages of point, range, top-N and grouped queries, against DuckDB on the same Parquet file. */
export async function measurePoint({ client, raw, tables }: Bench): Promise<Outcome> {
  const measured = await measureReads(READ_CASES, { client, raw, tables });
  const counted = measured.filter(({ objects }) => objects >= FLOOR_BOUND_MS);
  const ratios = counted.map(({ ours, objects }) => ours / objects);
  return {
    lines: [
      line("our HTTP reply / DuckDB on the same Parquet, median of the cases", median(ratios), { most: 0.7 }),
      line("the slowest of them", Math.max(...ratios), { most: 1.5 }),
      ...measured.flatMap(({ read, ours, objects }) =>
        read.most === undefined ? [] : line(`${read.name} / DuckDB's own`, ours / objects, { most: read.most }),
      ),
    ],
    figures: { head: HEAD, rows: measured.map(figures) },
  };
}

const HEAD = ["table", "read", "ours, ms", "DuckDB and JSON.stringify, ms", "ratio", "DuckDB's to_json, ms", "ratio"];

/** Queries of the grammar's later words, against SQL by hand on the same Parquet file. */
export async function measureWords(bench: Bench): Promise<Outcome> {
  const measured = await measureReads(WORD_CASES, bench);
  const ratios = measured.map(({ ours, objects }) => ours / objects);
  return {
    lines: [line("our HTTP reply / SQL by hand with the same rows, at most", Math.max(...ratios), { most: 1.3 })],
    figures: { head: HEAD, rows: measured.map(figures) },
  };
}

async function measureReads(
  cases: readonly ReadCase[],
  { client, raw, tables }: Pick<Bench, "client" | "raw" | "tables">,
): Promise<Measured[]> {
  const probes = await probesOf(raw, tables);
  const measured: Measured[] = [];
  for (const read of cases) {
    const sides = await measureRead(read, { client, raw, table: tables[read.table], probes: probes[read.table] });
    measured.push(sides);
    say(`${read.table}, ${read.name}: ${ms(sides.ours)} / ${ms(sides.objects)} ms`);
  }
  return measured;
}

function figures({ read, ours, objects, inSql }: Measured): string[] {
  const bound = objects < FLOOR_BOUND_MS ? " (floor-bound, not counted)" : "";
  return [read.table, read.name + bound, ms(ours), ms(objects), ratio(ours / objects), ms(inSql), ratio(ours / inSql)];
}

interface Sides {
  client: Client;
  raw: RawDuckDb;
  table: BenchTable;
  probes: readonly Probe[];
}

async function measureRead(read: ReadCase, { client, raw, table, probes }: Sides): Promise<Measured> {
  const probe = (turn: number) => probes[turn % probes.length] as Probe;
  const ask = (turn: number) => client.query({ tableId: table.tableId, body: read.body(probe(turn)) });
  const sql = (turn: number) => read.sql(probe(turn), sourceOf(table));
  for (const turn of [0, 3])
    checkSameCount(read, pageOf(await ask(turn)).rows.length, (await raw.rows(sql(turn))).length);
  const [ours = 0, objects = 0, inSql = 0] = await interleave([
    { name: "ours", run: ask },
    { name: "objects", run: (turn) => raw.json(sql(turn)) },
    { name: "in SQL", run: (turn) => raw.jsonInSql(sql(turn)) },
  ]);
  return { read, ours, objects, inSql };
}

function checkSameCount(read: ReadCase, ours: number, theirs: number): void {
  if (ours !== theirs || ours === 0)
    throw new Error(`${read.table}, ${read.name}: we return ${ours} rows, DuckDB ${theirs}`);
}
