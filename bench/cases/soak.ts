import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench";
import { sampleLight, timesOf } from "../light";
import { failures, load, perSecond, statusList } from "../load";
import { median, quantile } from "../measure";
import { mixOf } from "../mix";
import { type Line, line, type Outcome } from "../report";

const CLIENTS = 32;
const MEMORY_MS = 1_000;
const MEMORY_SHOWN = 12;
/** From this duration on, the run must meet what the service promises over hours. */
const LONG_MINUTES = 30;
const ANSWERS_LEAST = 100_000;
/** What must remain quick, whatever is queried. */
const LIGHT = ["/healthz", "/api/v2/public/datasets", "/datasets"] as const;
const LIGHT_MS = 100;

/** 32 concurrent clients, and at the same time the memory, and the latency of liveness, metadata and a page. */
export async function measureSoak({ client, service, raw, tables, minutes }: Bench): Promise<Outcome> {
  const mix = await mixOf(raw, tables);
  const over = new AbortController();
  const light = sampleLight(service.url, LIGHT);
  const sampling = sampleMemory(() => service.memoryMb(), over.signal);
  const made = await load((number) => client.query(mix(number).query), CLIENTS, { seconds: minutes * 60 });
  over.abort();
  const [replies, memoryMb] = [await light.stop(), await sampling];
  const failed = failures(made);
  const answered: Line = {
    ...{ what: `answers in ${minutes} min`, goal: "", met: null },
    measured: `${statusList(made)}; ${perSecond(made).toFixed(0)} a second`,
  };
  const isLong = minutes >= LONG_MINUTES;
  return {
    lines: [
      {
        what: "answers other than 200, 429 and 503 with Retry-After",
        measured: String(failed),
        goal: "0",
        met: failed === 0,
      },
      isLong ? { ...answered, goal: `≥ ${ANSWERS_LEAST}`, met: made.answers >= ANSWERS_LEAST } : answered,
      ...replies.map(({ path, latencies }) =>
        line(`99 of 100 of GET ${path} within`, quantile(latencies, 0.99), { most: LIGHT_MS }, " ms"),
      ),
      ...(isLong ? [line("resident memory: last quarter / second", growth(memoryMb), { most: 1.05 })] : []),
      { what: "resident memory meanwhile, MiB", measured: shown(memoryMb).join(", "), goal: "", met: null },
    ],
    figures: {
      head: ["meanwhile", "median ms", "99 of 100 within, ms", "worst, ms"],
      rows: [
        ["query", ...timesOf(made.latencies)],
        ...replies.map(({ path, latencies }) => [`GET ${path}`, ...timesOf(latencies)]),
      ],
    },
  };
}

/** The median of the run's last quarter divided by that of its second. */
function growth(memoryMb: readonly number[]): number {
  const quarter = Math.floor(memoryMb.length / 4);
  return median(memoryMb.slice(3 * quarter)) / median(memoryMb.slice(quarter, 2 * quarter));
}

function shown(memoryMb: readonly number[]): string[] {
  const every = Math.ceil(memoryMb.length / MEMORY_SHOWN);
  return memoryMb.filter((_, at) => at % every === 0 || at === memoryMb.length - 1).map((mb) => mb.toFixed(0));
}

async function sampleMemory(memoryMb: () => number, signal: AbortSignal): Promise<number[]> {
  const samples: number[] = [];
  while (!signal.aborted) {
    samples.push(memoryMb());
    await sleep(MEMORY_MS);
  }
  return samples;
}
