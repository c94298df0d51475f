import { startBareServer } from "../bare";
import type { Bench } from "../bench";
import type { Answer } from "../client";
import { failures, type Load, load, perSecond, statusList } from "../load";
import { median, quantile } from "../measure";
import { mixOf } from "../mix";
import { line, ms, type Outcome } from "../report";

const SECONDS = 6;
const ROUNDS = 3;
const BESIDE_CLIENTS = 32;

/**
 * Throughput with one client and with eight, alternately; the replies to 64 at once; and 32 compared with a bare
 * server.
 */
export async function measureClients({ client, raw, tables }: Bench): Promise<Outcome> {
  const mix = await mixOf(raw, tables);
  const ask = (number: number) => client.query(mix(number).query);
  await load(ask, 4, { seconds: 5 });
  const ones: Load[] = [];
  const eights: Load[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ones.push(await load(ask, 1, { seconds: SECONDS }));
    eights.push(await load(ask, 8, { seconds: SECONDS }));
  }
  const crowd = await load(ask, 64, { seconds: 15 });
  const [ours, theirs] = await besideBare(ask, (number) => mix(number).sql);
  const [one, eight] = [ones, eights].map((loads) => median(loads.map(perSecond))) as [number, number];
  const failed = failures(crowd);
  return {
    lines: [
      line("queries a second at 8 clients / at one", eight / one, { least: 1.5 }),
      {
        what: "64 clients: answers other than 200, 429 and 503 with Retry-After",
        measured: String(failed),
        goal: "0",
        met: failed === 0,
      },
      line("32 clients: queries a second / a bare server's", medianRate(ours) / medianRate(theirs), { least: 1 }),
    ],
    figures: {
      head: ["clients", "queries a second", "median ms", "99 of 100 within, ms", "answers"],
      rows: [
        row("1", one, ones),
        row("8", eight, eights),
        row("64", perSecond(crowd), [crowd]),
        row("32", medianRate(ours), ours),
        row("32, a bare server on the same Parquet", medianRate(theirs), theirs),
      ],
    },
  };
}

const medianRate = (loads: readonly Load[]): number => median(loads.map(perSecond));

/** The same reads by 32 clients, of our service and of a bare server in turn. */
async function besideBare(
  ask: (number: number) => Promise<Answer>,
  sqlOf: (number: number) => string,
): Promise<[Load[], Load[]]> {
  const bare = await startBareServer();
  try {
    const askBare = (number: number) => bare.ask(sqlOf(number));
    await load(askBare, 4, { seconds: 3 });
    const [ours, theirs]: [Load[], Load[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await load(ask, BESIDE_CLIENTS, { seconds: SECONDS }));
      theirs.push(await load(askBare, BESIDE_CLIENTS, { seconds: SECONDS }));
    }
    return [ours, theirs];
  } finally {
    await bare.stop();
  }
}

function row(clients: string, rate: number, loads: readonly Load[]): string[] {
  const latencies = loads.flatMap(({ latencies }) => latencies);
  return [
    clients,
    rate.toFixed(0),
    ms(median(latencies)),
    ms(quantile(latencies, 0.99)),
    loads.map(statusList).join("; "),
  ];
}
