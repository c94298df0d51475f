import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { CATALOGUE_FEED_PATH } from "@/lib/describe/links";
import { COMMON, EVERYWHERE, RARE, wordOfRank } from "../catalogue/generated-datasets";
import { type Answer, Client } from "../client";
import { median } from "../measure";
import type { Options } from "../options";
import { type Line, line, ms, type Outcome } from "../report";
import { type Service, startService } from "../service";

const TURNS = 15;

const SEARCHES: readonly (readonly [kind: string, text: string])[] = [
  ["none: the newest", ""],
  ["a rare word", RARE],
  ["a common word", COMMON],
  ["a word in all of them", EVERYWHERE],
  ["two words", `${wordOfRank(50)} ${wordOfRank(500)}`],
  ["a misspelt word", `${RARE.slice(0, -2)}y`],
  ["a word being typed", wordOfRank(300).slice(0, 3)],
];
const DOCUMENTS = ["/sitemap.xml", "/llms.txt", "/llms-full.txt", "/catalog.jsonld", CATALOGUE_FEED_PATH];

interface Measured {
  name: string;
  /** The first time, and the median of the others. */
  firstMs: number;
  ms: number;
  /** Processor time of the service, without its database's: the first time, and the mean of the others. */
  firstBusyMs: number;
  busyMs: number;
  bytes: number;
}

/** Search, facets, pages and documents of a catalogue of generated datasets. */
export async function measureCatalogue({ port, datasets }: Options): Promise<Outcome> {
  const folder = resolve(`.data-bench-catalogue-${datasets}`);
  fill(folder, datasets);
  const service = await startService(port + 1, { PARQUETRY_DATA_DIR: folder });
  const client = new Client(service.url, service.key);
  try {
    await client.get("/healthz");
    const before = service.memoryMb();
    const measure = (name: string, path: string) => measurePath({ name, path, client, service });
    const searches: Measured[] = [];
    const others: Measured[] = [];
    for (const [kind, text] of SEARCHES) {
      const query = text === "" ? "" : `?q=${encodeURIComponent(text)}`;
      searches.push(await measure(`search: ${kind}`, `/api/v2/public/datasets${query}`));
      others.push(await measure(`facets: ${kind}`, `/api/v2/public/facets${query}`));
    }
    others.push(await measure("page of the directory", "/datasets"));
    for (const path of DOCUMENTS) others.push(await measure(path, path));
    return outcome(searches, others, datasets, [before, service.memoryMb()]);
  } finally {
    client.close();
    await service.stop();
  }
}

function fill(folder: string, datasets: number): void {
  const program = join(import.meta.dirname, "../catalogue/fill.ts");
  const env = { ...process.env, PARQUETRY_DATA_DIR: folder };
  const { status } = spawnSync(process.execPath, ["--import", "tsx", program, String(datasets)], {
    stdio: "inherit",
    env,
  });
  if (status !== 0) throw new Error("The catalogue could not be filled");
}

interface Asked {
  name: string;
  path: string;
  client: Client;
  service: Service;
}

async function measurePath({ name, path, client, service }: Asked): Promise<Measured> {
  const turns: { busy: number; answer: Answer }[] = [];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const before = service.processorMs();
    const answer = await client.get(path);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    turns.push({ answer, busy: service.processorMs() - before });
  }
  const [first, ...rest] = turns;
  if (!first) throw new Error("Nothing was measured");
  return {
    name,
    firstMs: first.answer.ms,
    ms: median(rest.map(({ answer }) => answer.ms)),
    firstBusyMs: first.busy,
    busyMs: rest.reduce((sum, { busy }) => sum + busy, 0) / rest.length,
    bytes: first.answer.body.byteLength,
  };
}

function outcome(
  searches: readonly Measured[],
  others: readonly Measured[],
  datasets: number,
  [before, after]: readonly [number, number],
): Outcome {
  const slowest = Math.max(...searches.map((search) => search.ms));
  const memory: Line = {
    ...{ what: "resident memory before and after all of it, MiB", goal: "", met: null },
    measured: `${before.toFixed(0)}, ${after.toFixed(0)}`,
  };
  return {
    lines: [
      line(`${datasets.toLocaleString("en")} datasets: the slowest search`, slowest, { most: 20 }, " ms"),
      memory,
    ],
    figures: {
      head: ["asked", "first, ms", "then, ms", "busy: first / then, ms", "kB"],
      rows: [...searches, ...others].map((each) => [
        ...[each.name, ms(each.firstMs), ms(each.ms), `${ms(each.firstBusyMs)} / ${ms(each.busyMs)}`],
        (each.bytes / 1_000).toFixed(1),
      ]),
    },
  };
}
