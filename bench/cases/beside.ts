import { type BareServer, startBareServer } from "../bare";
import type { Bench } from "../bench";
import { type Answer, type Client, pageOf } from "../client";
import { hastened, interleave, median } from "../measure";
import { FLIGHT, type Probe, probesOf, READ_CASES, type ReadCase, sourceOf } from "../queries";
import { line, ms, type Outcome, ratio } from "../report";
import { say } from "../say";
import type { Service } from "../service";
import type { BenchTable } from "../tables";

const NAMES = [
  "one airport's top 100 by delay",
  "range of an hour",
  "one route, by two unsorted texts",
  "group by airport, 3 aggregates",
];

const READS: readonly ReadCase[] = [
  ...NAMES.map((name) => {
    const read = READ_CASES.find((each) => each.table === "flights" && each.name === name);
    if (!read) throw new Error(`Unknown read: ${name}`);
    return read;
  }),
  {
    name: "10,000 rows × 5",
    table: "flights",
    body: () => ({ columns: FLIGHT, limit: 10_000 }),
    sql: (_, from) => `SELECT * FROM ${from} LIMIT 10000`,
  },
  {
    name: "10 rows × 2",
    table: "flights",
    body: () => ({ columns: ["origin", "delay"], limit: 10 }),
    sql: (_, from) => `SELECT origin, delay FROM ${from} LIMIT 10`,
    most: 1.3,
  },
];

const TURNS = { warm: 200, least: 20, most: 200, budgetMs: 6_000 };

interface Measured {
  read: ReadCase;
  /** Times of ours, the bare server on Parquet, and the bare server on its own table. */
  ms: number[];
  /** Processor times of the same, without our database's. */
  processor: number[];
}

/**
 * The six reads of a small service, compared with a bare server that is sent SQL: the same client, the same Parquet.
 */
export async function measureBeside({ client, raw, tables, service, haste }: Bench): Promise<Outcome> {
  const bare = await startBareServer();
  try {
    await bare.ask(`CREATE TABLE flights AS SELECT * FROM ${sourceOf(tables.flights)}`);
    const probes = (await probesOf(raw, tables)).flights;
    const measured: Measured[] = [];
    for (const read of READS) {
      const sides = await measureRead(read, { client, bare, service, table: tables.flights, probes, haste });
      measured.push(sides);
      say(`beside: ${read.name}: ${sides.ms.map(ms).join(" / ")} ms, ${sides.processor.map(ms).join(" / ")} ms busy`);
    }
    return outcome(measured);
  } finally {
    await bare.stop();
  }
}

function outcome(measured: readonly Measured[]): Outcome {
  const ratios = measured.map(({ ms: [ours = 0, parquet = 0] }) => ours / parquet);
  const tiny = ratios.pop() ?? 0;
  return {
    lines: [
      line("ours / a bare server on the same Parquet, median of the larger reads", median(ratios), { most: 1 }),
      line("the slowest of them", Math.max(...ratios), { most: 1.2 }),
      line("10 rows × 2", tiny, { most: 1.3 }),
    ],
    figures: {
      head: ["flights", "ours, ms", "bare, ms", "ratio", "bare on its own table, ms", "busy: ours / bare, ms"],
      rows: measured.map(({ read, ms: [ours = 0, parquet = 0, native = 0], processor: [busy = 0, theirs = 0] }) => [
        ...[read.name, ms(ours), ms(parquet), ratio(ours / parquet), ms(native)],
        `${ms(busy)} / ${ms(theirs)}`,
      ]),
    },
  };
}

interface Sides {
  client: Client;
  bare: BareServer;
  service: Service;
  table: BenchTable;
  probes: readonly Probe[];
  haste: number;
}

async function measureRead(read: ReadCase, sides: Sides): Promise<Measured> {
  const { client, bare, service, table, probes } = sides;
  const probe = (turn: number) => probes[turn % probes.length] as Probe;
  const ask = (turn: number) => client.query({ tableId: table.tableId, body: read.body(probe(turn)) });
  const onParquet = (turn: number) => bare.ask(read.sql(probe(turn), sourceOf(table)));
  const onTable = (turn: number) => bare.ask(read.sql(probe(turn), "flights"));
  const rows = [pageOf(await ask(0)).rows, rowsOf(await onParquet(0)), rowsOf(await onTable(0))];
  if (new Set(rows.map(({ length }) => length)).size > 1) throw new Error(`${read.name}: the rows differ`);
  const contenders = [busy(ask, service), busy(onParquet, bare), busy(onTable, bare)];
  const medians = await interleave(
    contenders.map(({ run }, at) => ({ name: String(at), run })),
    hastened(TURNS, sides.haste),
  );
  return { read, ms: medians, processor: contenders.map(({ mean }) => mean()) };
}

const rowsOf = ({ body }: Answer): unknown[] => JSON.parse(body.toString()) as unknown[];

/** Measures a process's processor time while it runs. */
function busy(run: (turn: number) => Promise<unknown>, { processorMs }: { processorMs: () => number }) {
  let [total, turns] = [0, 0];
  return {
    mean: () => total / turns,
    run: async (turn: number) => {
      const before = processorMs();
      await run(turn);
      total += processorMs() - before;
      turns += 1;
    },
  };
}
