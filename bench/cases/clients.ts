import type { Bench } from "../bench";
import { failures, type Load, load, perSecond, statusList } from "../load";
import { median, quantile } from "../measure";
import { mixOf } from "../mix";
import { line, ms, type Outcome } from "../report";

const SECONDS = 6;
const ROUNDS = 3;

/** Throughput with one client and with eight, alternately, and the replies to 64 at once. */
export async function measureClients({ client, raw, tables }: Bench): Promise<Outcome> {
  const mix = await mixOf(raw, tables);
  await load(client, mix, 4, { seconds: 5 });
  const ones: Load[] = [];
  const eights: Load[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ones.push(await load(client, mix, 1, { seconds: SECONDS }));
    eights.push(await load(client, mix, 8, { seconds: SECONDS }));
  }
  const crowd = await load(client, mix, 64, { seconds: 15 });
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
    ],
    figures: {
      head: ["clients", "queries a second", "median ms", "99 of 100 within, ms", "answers"],
      rows: [row("1", one, ones), row("8", eight, eights), row("64", perSecond(crowd), [crowd])],
    },
  };
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
