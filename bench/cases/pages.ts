import type { Bench } from "../bench";
import { median, timed } from "../measure";
import { line, ms, type Outcome } from "../report";

const SECONDS = 5;
const CLIENTS = 8;
const ALONE = 300;
const DRAWN = 30;
const BROWSER = { accept: "text/html", "accept-encoding": "gzip" };

/**
 * Public pages as a browser requests them: cached, and rendered for each request by adding a parameter that no page
 * reads.
 */
export async function measurePages({ client, service, haste }: Bench): Promise<Outcome> {
  const pages = [
    { name: "a dataset's page", path: "/datasets/us-flights-2001" },
    { name: "the directory", path: "/datasets" },
  ];
  const rows = [];
  for (const { name, path } of pages) {
    const load = async (address: string) => requireOk(await client.get(address, BROWSER));
    const drawn = await turns(Math.ceil(DRAWN / haste), () => load(`${path}?drawn=1`), service.processorMs);
    const kept = await turns(Math.ceil(ALONE / haste), () => load(path), service.processorMs);
    const perSecond = await atOnce(() => load(path), (SECONDS * 1000) / haste);
    rows.push({ name, drawn, kept, perSecond });
  }
  return {
    lines: rows.flatMap(({ name, kept, perSecond }) => [
      line(`${name}, a second at ${CLIENTS} clients`, perSecond, { least: 150 }),
      line(`${name}, median of one client`, kept.ms, { most: 10 }, " ms"),
    ]),
    figures: {
      head: ["page", "ms", "busy, ms", "a second", "drawn for each request, ms", "busy, ms"],
      rows: rows.map(({ name, drawn, kept, perSecond }) => [
        ...[name, ms(kept.ms), ms(kept.busyMs), perSecond.toFixed(0), ms(drawn.ms), ms(drawn.busyMs)],
      ]),
    },
  };
}

/** The median, and the service's processor time for each. */
async function turns(count: number, work: () => Promise<void>, processorMs: () => number) {
  for (let turn = 0; turn < 10; turn += 1) await work();
  const before = processorMs();
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) times.push(await timed(work));
  return { ms: median(times), busyMs: (processorMs() - before) / count };
}

async function atOnce(work: () => Promise<void>, forMs: number): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  const client = async () => {
    while (performance.now() - startedAt < forMs) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return (done / (performance.now() - startedAt)) * 1000;
}

function requireOk({ status }: { status: number }): void {
  if (status !== 200) throw new Error(`A page answers ${status}`);
}
