import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { handle, methods, serves, takesFile } from "@/lib/door/handle";
import { npmClient, pythonClient } from "@/lib/openapi/clients";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { useTestState } from "@/lib/testing/database";
import { compilePackage } from "@/lib/testing/packed-program";
import { StallingProxy } from "@/lib/testing/stalling-proxy";
import { type Listener, startListener } from "./listener";

useTestState({ LIMIT_KEY_MINUTE: "100000", LIMIT_KEY_DAY: "100000" });
const MIB = 1 << 20;
const ROWS = 60_000;
const folder = mkdtempSync(join(tmpdir(), "parquetry-clients-"));
const FILE = join(folder, "download", "hikes.parquet");
let listener: Listener;
let proxy: StallingProxy;
let key = "";

/** Noise, so that the file is several MiB however it is compressed. */
const line = (at: number): string => {
  const noise = createHash("sha512").update(String(at)).digest("base64");
  const fraction = at % 2 === 1 ? ".25" : "";
  const big = at % 7 === 0 ? "" : "9007199254740993";
  return `${at},${big},${at}.10,2024-02-29,2024-02-29T12:30:0${at % 10}${fraction}Z,${noise}\n`;
};

beforeAll(async () => {
  const csv = join(folder, "hikes.csv");
  writeFileSync(csv, `id,big,price,day,at,noise\n${Array.from({ length: ROWS }, (_, at) => line(at)).join("")}`);
  const about = { slug: "hikes", title: "Hikes", summary: "", description: "", topics: [], license: "CC0-1.0" };
  const columns = [{ name: "price", type: "decimal(9,2)" }];
  const published = { file: csv, dataset: { ...about, publisher: { name: "P" } }, columns };
  await publishTable({ ...published, table: { slug: "hikes", name: "Hikes" } }, { now: () => new Date() });
  key = (await createUseKey({ email: "reader@example.com", name: "clients" }, new Date())).key;
  listener = await startListener({
    door: { serves, takesFile, methods, handle },
    handle: (_req, res) => void res.writeHead(404).end(),
    ...{ port: 0, host: "127.0.0.1", settings: { PARQUETRY_TRUSTED_PROXIES: [] } },
    logger: pino({ level: "silent" }),
  });
  proxy = await StallingProxy.start(Number(new URL(listener.url).port));
  mkdirSync(join(folder, "download"));
  await compilePackage();
  writeFileSync(join(folder, "parquetry.py"), pythonClient(proxy.url));
  writeFileSync(join(folder, "client.tgz"), npmClient(proxy.url));
  execFileSync("tar", ["-xzf", "client.tgz"], { cwd: folder });
});
afterAll(async () => {
  proxy.close();
  await listener.close(1_000);
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

const DOWNLOADS = {
  Python: ["/usr/bin/python3", "parquetry.py", "hikes/hikes", FILE],
  JavaScript: [process.execPath, "package/cli.mjs", "download", "hikes", FILE],
} as const;

const start = ([program, ...args]: readonly string[], credential = key): ChildProcess =>
  spawn(program ?? "", args, { cwd: folder, env: { NODE_ENV: "test", PARQUETRY_KEY: credential } });

/** The output of a program, once it has ended. */
function run(command: readonly string[], credential = key): Promise<{ code: number | null; out: string; err: string }> {
  const child = start(command, credential);
  let [out, err] = ["", ""];
  child.stdout?.on("data", (chunk) => (out += chunk));
  child.stderr?.on("data", (chunk) => (err += chunk));
  return new Promise((ended) => child.once("close", (code) => ended({ code, out, err })));
}

const parts = () => readdirSync(join(folder, "download")).filter((name) => name.endsWith(".part"));
const partBytes = () => parts().reduce((sum, name) => sum + statSync(join(folder, "download", name)).size, 0);
const pagesAsked = () => proxy.heads.filter((head) => head.includes("/query http/")).length;
const starts = () => proxy.heads.flatMap((head) => /\r\nrange: bytes=(\d+)-/.exec(head)?.[1] ?? []).map(Number);

/** The digest of the file, and the one that the service publishes. */
async function digests(): Promise<string[]> {
  const { tables } = await (await fetch(`${proxy.url}/api/v2/public/datasets/hikes`)).json();
  const { table } = await (await fetch(`${proxy.url}/api/v2/public/tables/${tables[0].tableId}/schema`)).json();
  return [`sha256:${createHash("sha256").update(readFileSync(FILE)).digest("hex")}`, table.content_digest];
}

describe.each(Object.entries(DOWNLOADS))("the %s client", (_name, command) => {
  test("downloads a complete file despite a cut connection, and leaves no partial file", async () => {
    proxy.next = { bytes: 3 * MIB, action: "cut" };
    proxy.heads.length = 0;
    expect(await run(command)).toMatchObject({ code: 0, err: "" });
    const [own, published] = await digests();
    expect([own, parts()]).toEqual([published, []]);
    expect(starts()).toEqual([expect.any(Number)]);
    rmSync(FILE);
  });

  test("killed midway, it resumes where it ended when started again", async () => {
    proxy.next = { bytes: 3 * MIB, action: "stall" };
    const killed = start(command);
    await expect.poll(() => proxy.next).toBeUndefined(); // otherwise a later download would stall
    await expect.poll(partBytes).toBeGreaterThan(MIB);
    const ended = new Promise((done) => killed.once("close", done));
    killed.kill("SIGKILL");
    await ended;
    const left = partBytes();
    proxy.heads.length = 0;
    expect(await run(command)).toMatchObject({ code: 0, err: "" });
    const [own, published] = await digests();
    expect([own, starts()]).toEqual([published, [left]]);
  });

  test("a file that already exists is not requested again", async () => {
    proxy.heads.length = 0;
    expect((await run(command)).code).toBe(0);
    expect(proxy.heads.filter((head) => head.includes("/current"))).toEqual([]);
    rmSync(FILE);
  });

  test("a partial file with different bytes is discarded", async () => {
    const digest = (await fetchDigest()).slice(7, 23);
    writeFileSync(`${FILE}.${digest}.part`, "x".repeat(MIB));
    expect(await run(command)).toMatchObject({ code: 0, err: "" });
    const [own, published] = await digests();
    expect([own, parts()]).toEqual([published, []]);
    rmSync(FILE);
  });

  test("without a key, a download is rejected with what to do", async () => {
    const { code, out, err } = await run(command, "");
    expect([code, `${out}${err}`]).toEqual([1, expect.stringContaining("401 key_missing")]);
  });
});

async function fetchDigest(): Promise<string> {
  const { tables } = await (await fetch(`${proxy.url}/api/v2/public/datasets/hikes`)).json();
  const reply = await fetch(`${proxy.url}/api/v2/public/tables/${tables[0].tableId}/schema`);
  return (await reply.json()).table.content_digest;
}

const QUERY = { filters: [{ column: "id", operator: "lt", value: 12_000 }], order_by: [{ column: "id" }] };

test("the Python client reads a query through all pages with values of Python's own types", async () => {
  const script = `
import json, sys
from parquetry import Parquetry
rows = list(Parquetry().table("hikes").rows(**json.loads(sys.argv[1])))
first = rows[1]
print(len(rows), [row["id"] for row in rows] == list(range(12000)))
print(*(repr(first[name]) for name in ("id", "big", "price", "day")), first["at"].isoformat())
print([d["slug"] for d in Parquetry().search("hikes")], Parquetry().table("hikes/hikes").versions()[0]["number"])
print(list(Parquetry().table("hikes").rows(aggregates=[{"function": "count", "as": "n"}])))
`;
  proxy.heads.length = 0;
  proxy.next = { bytes: MIB, action: "cut" }; // within the first page
  const { out, err } = await run(["/usr/bin/python3", "-c", script, JSON.stringify(QUERY)]);
  expect([err, pagesAsked()]).toEqual(["", 4]);
  expect(out.trim().split("\n")).toEqual([
    "12000 True",
    "1 9007199254740993 Decimal('1.10') datetime.date(2024, 2, 29) 2024-02-29T12:30:01.250000+00:00",
    "['hikes'] 1",
    "[{'n': 60000}]",
  ]);
});

test("the JavaScript client reads a query through all pages, with exact integers", async () => {
  proxy.heads.length = 0;
  proxy.next = { bytes: MIB, action: "cut" }; // within the first page
  const { out, err } = await run([process.execPath, "package/cli.mjs", "query", "hikes", JSON.stringify(QUERY)]);
  expect(pagesAsked()).toBe(3);
  const rows = out.trim().split("\n");
  expect([err, rows.length, JSON.parse(rows[1] ?? "")]).toEqual(["", 12_000, expect.objectContaining({ id: 1 })]);
  expect(rows[1]).toContain('"big":"9007199254740993"');
  const found = await run([process.execPath, "package/cli.mjs", "search", "hikes"]);
  expect(found.out).toBe("hikes\tHikes\thikes/hikes\n");
});

test("reading resumes from a page's cursor", async () => {
  const query = { columns: ["id"], filters: [{ column: "id", operator: "gte", value: 35_000 }] };
  const python = `
import json, sys
from parquetry import Parquetry
table, query = Parquetry().table("hikes"), json.loads(sys.argv[1])
cursor = next(table.pages(**query))["next_cursor"]
print([len(page["rows"]) for page in table.pages(**query, cursor=cursor)])`;
  const javascript = `
import { Parquetry } from "./package/parquetry.mjs";
const [table, query] = [await new Parquetry().table("hikes"), JSON.parse(process.argv[1])];
for await (const { next_cursor: cursor } of table.pages(query)) {
  const sizes = [];
  for await (const { rows } of table.pages({ ...query, cursor })) sizes.push(rows.length);
  console.log(JSON.stringify(sizes).replace(",", ", "));
  break;
}`;
  const given = JSON.stringify(query);
  const read = await Promise.all([
    run(["/usr/bin/python3", "-c", python, given]),
    run([process.execPath, "--input-type=module", "-e", javascript, given]),
  ]);
  expect(read.map(({ out, err }) => [out.trim(), err])).toEqual([
    ["[10000, 5000]", ""],
    ["[10000, 5000]", ""],
  ]);
});

test("groups beyond those returned are reported, unless a limit was requested", async () => {
  const query = { group_by: ["id"], aggregates: [{ function: "count", as: "n" }] };
  const python = `
import json, sys
from parquetry import Parquetry
query = json.loads(sys.argv[1])
for limit in ({}, {"limit": 2}):
    print(len(list(Parquetry().table("hikes").rows(**query, **limit))))`;
  const given = JSON.stringify(query);
  const limited = JSON.stringify({ ...query, limit: 2 });
  const asked = (text: string) => [process.execPath, "package/cli.mjs", "query", "hikes", text];
  const [whole, ...others] = await Promise.all([
    run(["/usr/bin/python3", "-c", python, given]),
    run(asked(given)),
    run(asked(limited)),
  ]);
  const TOLD = expect.stringContaining("There are more groups than were returned");
  expect(whole).toEqual({ code: 0, out: "1000\n2\n", err: TOLD });
  expect(others.map(({ out, err }) => [out.trim().split("\n").length, err])).toEqual([
    [1000, TOLD],
    [2, ""],
  ]);
});

const hasPandas = spawnSync("/usr/bin/python3", ["-c", "import pandas"]).status === 0;

test.runIf(hasPandas)("a pandas frame keeps every time, and the digits beside what is missing", async () => {
  const script = `
from parquetry import Parquetry
frame = Parquetry().table("hikes").to_pandas(filters=[{"column": "id", "operator": "lt", "value": 10500}])
print(len(frame), *(str(frame[name].dtype).split("[")[0] for name in ("id", "big", "day", "at", "price")))
print(frame["at"].isna().sum(), frame["big"].isna().sum(), frame["big"][1], repr(frame["price"][1]), frame["at"][1])
`;
  expect(await run(["/usr/bin/python3", "-c", script])).toMatchObject({
    err: "",
    out:
      "10500 Int64 Int64 datetime64 datetime64 object\n" +
      "0 1500 9007199254740993 Decimal('1.10') 2024-02-29 12:30:01.250000+00:00\n",
  });
});

test("a rejected query names every fault", async () => {
  const wrong = { columns: ["nose"], filters: [{ column: "id", operator: "like", value: 1 }] };
  for (const command of [
    [process.execPath, "package/cli.mjs", "query", "hikes", JSON.stringify(wrong)],
    [
      "/usr/bin/python3",
      "-c",
      `from parquetry import *; list(Parquetry().table("hikes").rows(**${JSON.stringify(wrong)}))`,
    ],
  ])
    expect((await run(command)).err).toMatch(/400 \w+: .*\n {2}\/columns\/0: [\s\S]*\/filters\/0\/operator: /);
});

test("the types of the package describe the client's use", () => {
  const use = join(folder, "package", "use.mts");
  writeFileSync(
    use,
    `import { Parquetry, type TableSchema } from "./parquetry.mjs";
const table = await new Parquetry({ base: "https://data.example.org" }).table("a/b");
const schema: TableSchema = await table.schema();
const bytes: number = schema.table.bytes;
for await (const { rows, next_cursor } of table.pages({ filters: [{ column: "x", operator: "eq", value: 1 }] }))
  rows.length.toFixed(bytes && next_cursor ? 1 : 0);
// @ts-expect-error a query has no such member
table.rows({ colums: ["x"] });
`,
  );
  const tsc = join(process.cwd(), "node_modules", "typescript", "bin", "tsc");
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--types", ""];
  expect(spawnSync(process.execPath, [tsc, ...flags, use], { cwd: folder, encoding: "utf8" }).stdout).toBe("");
});
