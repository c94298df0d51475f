import { existsSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench";
import { interleave, median } from "../measure";
import { NGINX, startNginx } from "../nginx";
import { line, ms, type Outcome, ratio } from "../report";
import type { BenchTable } from "../tables";

/** A file changed within the last two seconds is verified on every download, so the first download waits. */
const SETTLE_MS = 2_500;

interface Sides {
  first: number;
  repeated: number;
  unverified: number;
  nginx: number;
}

/** The largest download: verified first, verified earlier, and as a range, which is not hashed while it is sent. */
export async function measureDownload(bench: Bench): Promise<Outcome> {
  const table = bench.tables.gigabyte;
  if (!table) throw new Error("The large table is missing");
  if (!existsSync(NGINX))
    return {
      lines: [
        { what: "nginx is not installed, so there is nothing to compare with", measured: "", goal: "", met: null },
      ],
    };
  const nginx = await startNginx(table.parquetPath, bench.port + 1);
  try {
    return report(await measure(bench, table, nginx.url), table.bytes);
  } finally {
    await nginx.stop();
  }
}

async function measure({ client, service }: Bench, table: BenchTable, nginxUrl: string): Promise<Sides> {
  const url = `${service.url}/api/v2/public/tables/${table.tableId}/current`;
  const ours = (headers = {}) => client.download(url, { ...client.downloadHeaders, ...headers }, table.bytes);
  const theirs = () => client.download(nginxUrl, {}, table.bytes);
  await theirs();
  const firsts: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await utimes(table.parquetPath, new Date(), new Date());
    await sleep(SETTLE_MS);
    firsts.push(await ours());
  }
  const turns = [
    { name: "repeated", run: () => ours() },
    { name: "unverified", run: () => ours({ range: `bytes=0-${table.bytes - 1}` }) },
    { name: "nginx", run: theirs },
  ];
  const [repeated = 0, unverified = 0, nginx = 0] = await interleave(turns, { warm: 1, least: 7, most: 9 });
  return { first: median(firsts), repeated, unverified, nginx };
}

function report({ first, repeated, unverified, nginx }: Sides, bytes: number): Outcome {
  const figures: [string, number][] = [
    ["first: verified, then sent and hashed again", first],
    ["repeated: sent and hashed on its way", repeated],
    ["as one range: sent", unverified],
    ["nginx", nginx],
  ];
  return {
    lines: [
      line("first download, verification included / nginx", first / nginx, { most: 2 }),
      line("repeated download, hashed on its way / nginx", repeated / nginx, { most: 2 }),
      line("without any hashing / nginx", unverified / nginx, { most: 1 }),
    ],
    figures: {
      head: [`${(bytes / 2 ** 30).toFixed(3)} GiB`, "ms", "/ nginx"],
      rows: figures.map(([name, value]) => [name, ms(value), ratio(value / nginx)]),
    },
  };
}
