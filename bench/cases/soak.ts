import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench";
import type { Client } from "../client";
import { failures, load, perSecond, statusList } from "../load";
import { median, quantile } from "../measure";
import { mixOf } from "../mix";
import { ms, type Outcome } from "../report";

const SECONDS = 60;
const CLIENTS = 32;
const SAMPLE_MS = 200;

interface Samples {
  health: number[];
  catalogue: number[];
  memoryMb: number[];
}

/** 32 concurrent clients for a minute, and the latency of liveness and the catalogue meanwhile. */
export async function measureSoak({ client, service, raw, tables }: Bench): Promise<Outcome> {
  const mix = await mixOf(raw, tables);
  const over = new AbortController();
  const sampling = sample(client, () => service.memoryMb(), over.signal);
  const made = await load(client, mix, CLIENTS, { seconds: SECONDS });
  over.abort();
  const { health, catalogue, memoryMb } = await sampling;
  const failed = failures(made);
  const times = (name: string, values: readonly number[]) => [
    name,
    ms(median(values)),
    ms(quantile(values, 0.99)),
    ms(Math.max(...values)),
  ];
  const every = Math.ceil(memoryMb.length / 6);
  const memory = memoryMb
    .filter((_, index) => index % every === 0 || index === memoryMb.length - 1)
    .map((mb) => mb.toFixed(0));
  return {
    lines: [
      {
        what: "answers other than 200, 429 and 503 with Retry-After",
        measured: String(failed),
        goal: "0",
        met: failed === 0,
      },
      { what: "answers", measured: `${statusList(made)}; ${perSecond(made).toFixed(0)} a second`, goal: "", met: null },
      { what: "resident memory every ten seconds, MiB", measured: memory.join(", "), goal: "", met: null },
    ],
    figures: {
      head: ["meanwhile", "median ms", "99 of 100 within, ms", "worst, ms"],
      rows: [
        times("query", made.latencies),
        times("GET /healthz", health),
        times("GET /api/v2/public/datasets", catalogue),
      ],
    },
  };
}

async function sample(client: Client, memoryMb: () => number, signal: AbortSignal): Promise<Samples> {
  const samples: Samples = { health: [], catalogue: [], memoryMb: [] };
  while (!signal.aborted) {
    samples.health.push((await client.get("/healthz")).ms);
    samples.catalogue.push((await client.get("/api/v2/public/datasets")).ms);
    samples.memoryMb.push(memoryMb());
    await sleep(SAMPLE_MS);
  }
  return samples;
}
