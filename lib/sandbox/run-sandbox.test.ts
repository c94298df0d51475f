import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BuildPlan } from "@/lib/builds/plan";
import { sha256Hex } from "@/lib/kernel/sha256";
import { sandboxProgram } from "@/lib/testing/sandbox-program";
import { tar } from "@/lib/testing/tar";
import { zipped } from "@/lib/testing/ugly-files/workbook";
import { withBench } from "./bench";
import type { SandboxEvent } from "./events";
import { SandboxFailure } from "./failure";
import { runSandbox } from "./run-sandbox";

let root: string;
let program: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "run-sandbox-"));
  program = await sandboxProgram();
});
afterAll(() => rm(root, { recursive: true, force: true }));

const LIMITS = { rows: 1_000_000, unpackedBytes: 64 * 2 ** 20, diskMb: 512, seconds: 120 };

interface Given {
  format: string;
  options?: object;
  archive?: object;
  raw: readonly Buffer[];
  mode?: "sample" | "full";
  limits?: Partial<BuildPlan["limits"]>;
  memoryMb?: number;
  /** The rest of a recipe; without it sources are only decoded. */
  recipe?: object;
}

async function runFolder({
  format,
  options = {},
  archive,
  raw,
  mode = "full",
  limits,
  memoryMb = 256,
  recipe = {},
}: Given) {
  count += 1;
  const folder = join(root, `${count}`);
  await mkdir(join(folder, "raw"), { recursive: true });
  const parts = raw.map((_, at) => ({ partition: raw.length > 1 ? `p${at}` : null, file: `raw/${at}` }));
  for (const [at, bytes] of raw.entries()) await writeFile(join(folder, "raw", `${at}`), bytes);
  const url = "https://office.example.org/data";
  const source = { name: "office", kind: "http", url, reader: { format, options }, ...(archive && { archive }) };
  const plan = {
    plan: "service-plan.v1",
    mode,
    dataset: { slug: "x", title: "X" },
    recipe: JSON.stringify({ ...recipe, sources: [source] }),
    lock: null,
    previous: {},
    now: "2026-11-21T00:00:00Z",
    sources: [{ name: "office", ordinal: 1, parts }],
    limits: { ...LIMITS, ...limits },
    engine: { duckdb: "1.5.6", readers: 1, memoryMb, threads: 1 },
  } as unknown as BuildPlan;
  await writeFile(join(folder, "plan.json"), JSON.stringify(plan));
  return { folder, plan };
}

async function run(given: Given, signal = new AbortController().signal) {
  const { folder, plan } = await runFolder(given);
  const events: SandboxEvent[] = [];
  const outcome = await runSandbox({ folder, plan, signal, program, onEvent: (event) => void events.push(event) });
  const cells = await readFile(join(folder, "cells/1.csv"), "utf8").catch(() => "");
  return { folder, outcome, events, cells };
}

const csv = (...lines: string[]) => Buffer.from(`${lines.join("\n")}\n`);

test("a file becomes cells", async () => {
  const { outcome, events, cells } = await run({ format: "csv", raw: [csv("a,b", "1,x", "2,")] });
  expect(cells).toBe('2,0,"1","x"\n3,0,"2",\n');
  expect(outcome.sources[0]).toMatchObject({
    name: "office",
    form: "text",
    rows: 2,
    rowsOf: 2,
    columns: [{ name: "a" }, { name: "b" }],
  });
  expect(events).toEqual([{ decoded: outcome.sources[0] }]);
});

const RECIPE = {
  schema_version: "service-recipe.v1",
  tables: [
    {
      name: "people",
      slug: "people",
      from: "office",
      steps: [{ step: "parse", columns: ["n"], as: "int32", number: { thousands: ["."] } }],
      columns: [
        { name: "n", type: "int32" },
        { name: "s", type: "string" },
      ],
    },
  ],
  publish: { license: "MIT", topics: ["x"], publisher: { name: "Office" } },
};

test("cells become sealed tables, with digests", async () => {
  const { folder, outcome, events } = await run({ format: "csv", raw: [csv("n,s", "1.234,x", "5,")], recipe: RECIPE });
  expect(outcome.build?.failure).toBeNull();
  const [sealed] = outcome.sealed;
  const bytes = await readFile(join(folder, sealed?.path ?? ""));
  expect(sealed).toMatchObject({ table: "people", bytes: bytes.length, sha256: sha256Hex(bytes) });
  expect(events.map((event) => Object.keys(event)[0])).toContain("file");
});

test("the same bytes under another memory limit are sealed as the same bytes", async () => {
  const raw = [csv("n,s", ...Array.from({ length: 50_000 }, (_, at) => `${(at * 7919) % 9973},t${at % 17}`))];
  const digests = [256, 512].map(async (memoryMb) => {
    const { outcome } = await run({ format: "csv", raw, memoryMb, recipe: RECIPE });
    return outcome.sealed[0]?.sha256;
  });
  const [first, second] = await Promise.all(digests);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).toBe(first);
});

test("a cell that does not fit fails the build with its place, and keeps what was found", async () => {
  const { outcome } = await run({ format: "csv", raw: [csv("n,s", "1.23,x")], recipe: RECIPE });
  expect(outcome.build?.failure).toMatchObject({ at: { table: "people" } });
  expect(outcome.sealed).toEqual([]);
});

test("the rows' digest holds while bytes alone change, and changes with a cell", async () => {
  const digest = async (raw: Buffer, options = {}) =>
    (await run({ format: "csv", options, raw: [raw] })).outcome.sources[0]?.rowsDigest;
  const first = await digest(csv("a,b", "1,x"));
  expect(await digest(csv("# made today", '"a","b"', "1,x"), { comment: "#", header: { rows: [2] } })).toBe(first);
  expect(await digest(csv("a,b", "1,y"))).not.toBe(first);
  expect(await digest(csv("a,c", "1,x"))).not.toBe(first);
});

test("a sample reads the first rows of the oldest and of the newest part", async () => {
  const part = (year: number) => csv("n", ...Array.from({ length: 10 }, (_, at) => `${year}-${at}`));
  const { cells, outcome } = await run({
    format: "csv",
    raw: [1, 2, 3].map(part),
    mode: "sample",
    limits: { rows: 4 },
  });
  expect(cells).toBe('2,0,"1-0"\n3,0,"1-1"\n2,2,"3-0"\n3,2,"3-1"\n');
  expect(outcome.sources[0]).toMatchObject({ rows: 4, rowsOf: null });
});

test("columns that a later part adds are null before it", async () => {
  const { cells } = await run({ format: "csv", raw: [csv("a,b", "1,2"), csv("c,A", "3,4")] });
  expect(cells).toBe('2,0,"1","2",\n2,1,"4",,"3"\n');
});

describe("what is packed is unpacked:", () => {
  const plain = csv("a", "1");
  const archive = { member: "*.csv" };
  for (const [name, make, given] of [
    ["gzip", async () => gzipSync(plain), {}],
    ["gzip of two members", async () => Buffer.concat([gzipSync(csv("a")), gzipSync(csv("1"))]), {}],
    ["zstd", async () => zstdCompressSync(plain), {}],
    ["zip", async () => zipped({ "read.me": "x", "data/x.csv": plain }), { archive }],
    [
      "tar",
      async () =>
        tar([
          ["read.me", csv("x")],
          ["data/x.csv", plain],
        ]),
      { archive },
    ],
    ["tar in gzip", async () => gzipSync(tar([["x.csv", plain]])), { archive }],
  ] as const)
    test(name, async () =>
      expect((await run({ format: "csv", raw: [await make()], ...given })).cells).toBe('2,0,"1"\n'),
    );
});

describe("Parquet is written anew:", () => {
  test("a stranger's file never leaves the sandbox", async () => {
    const folder = await mkdtemp(join(root, "parquet-"));
    await withBench(folder, { memoryMb: 256, diskMb: 64 }, (bench) =>
      bench.run(`COPY (SELECT 1 AS a, TIMESTAMP '2026-01-01' AS t) TO '${folder}/x.parquet' (FORMAT parquet)`),
    );
    const raw = await readFile(join(folder, "x.parquet"));
    const made = await run({ format: "parquet", raw: [raw] });
    expect(made.outcome.sources[0]).toMatchObject({ form: "parquet", files: ["cells/1-0.parquet"], rows: 1 });
    expect((await readFile(join(made.folder, "cells/1-0.parquet"))).equals(raw)).toBe(false);
  });

  test("what is no Parquet is refused without a path", async () => {
    const failure = await failureOf({ format: "parquet", raw: [Buffer.from("PAR1 nothing PAR1")] });
    expect(failure.code).toBe("reader_mismatch");
    expect(failure.message).not.toContain(root);
  });
});

async function failureOf(given: Given, signal?: AbortSignal): Promise<SandboxFailure> {
  const failure = await run(given, signal).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SandboxFailure);
  return failure as SandboxFailure;
}

test("a failure names source, part and row", async () => {
  const { code, at } = await failureOf({ format: "csv", raw: [csv("a", "1"), csv("a", "2,3")] });
  expect({ code, at }).toEqual({ code: "reader_mismatch", at: { source: "office", part: 1, row: 2 } });
});

describe("bombs end inside their limits:", () => {
  const zeros = Buffer.alloc(200 * 2 ** 20);
  const archive = { member: "*" };
  const cases: Record<string, () => Promise<Given>> = {
    "archive_unsafe: gzip": async () => ({ format: "csv", raw: [gzipSync(zeros)] }),
    "archive_unsafe: zstd": async () => ({ format: "csv", raw: [zstdCompressSync(zeros)] }),
    "archive_unsafe: zip": async () => ({ format: "csv", archive, raw: [await zipped({ a: zeros })] }),
    "archive_unsafe: xlsx": async () => ({ format: "xlsx", raw: [await zipped({ "xl/workbook.xml": zeros })] }),
    "archive_unsafe: a zip that lies about its size": async () => ({
      format: "csv",
      archive,
      raw: [lyingSize(await zipped({ a: Buffer.alloc(2 ** 20, "x") }), 10)],
    }),
    "archive_unsafe: a link in a tar": async () => ({ format: "csv", archive, raw: [tar([["a", csv("x")]], "2")] }),
    "reader_mismatch: JSON of brackets": async () => ({
      format: "json",
      options: { records: "" },
      raw: [Buffer.from("[".repeat(1_000_000))],
    }),
    "reader_mismatch: a quote that is never closed": async () => ({
      format: "csv",
      raw: [Buffer.concat([csv("a"), Buffer.from(`"${"x".repeat(3_000_000)}`)])],
    }),
    "rows_exceeded: rows": async () => ({
      format: "csv",
      raw: [Buffer.from(`a\n${"1\n".repeat(200_000)}`)],
      limits: { rows: 100_000 },
    }),
    "disk_exceeded: cells that are larger than their source": async () => ({
      format: "csv",
      options: { ragged: "pad" },
      raw: [Buffer.from(`${Array.from({ length: 2000 }, (_, at) => `c${at}`).join(",")}\n${"1\n".repeat(20_000)}`)],
      limits: { diskMb: 8 },
    }),
    "memory_exceeded: one record of many small values": async () => ({
      format: "json",
      options: { records: "" },
      raw: [Buffer.from(`[{"a":[${"{},".repeat(12_000_000)}{}]}]`)],
    }),
    "time_exceeded: a second is over": async () => ({
      format: "csv",
      raw: [Buffer.from(`a,b,c\n${"1,2,3\n".repeat(6_000_000)}`)],
      limits: { seconds: 1, rows: 2 ** 30 },
    }),
  };
  for (const [name, given] of Object.entries(cases))
    test(name, async () => expect((await failureOf(await given())).code).toBe(name.split(":")[0]));
});

/** The directory of a zip with another unpacked size than what its member gives. */
function lyingSize(zip: Buffer, bytes: number): Buffer {
  const lying = Buffer.from(zip);
  for (let at = lying.indexOf("PK\x01\x02"); at >= 0; at = lying.indexOf("PK\x01\x02", at + 4))
    lying.writeUInt32LE(bytes, at + 24);
  return lying;
}

test("a run that is cancelled ends as cancelled, and no process of it stays", async () => {
  const controller = new AbortController();
  const raw = [Buffer.from(`a,b,c\n${"1,2,3\n".repeat(3_000_000)}`)];
  const running = failureOf({ format: "csv", raw, limits: { rows: 2 ** 30 } }, controller.signal);
  setImmediate(() => controller.abort());
  expect((await running).code).toBe("cancelled");
});

test("its DuckDB reads and writes the run's folder and nothing else", async () => {
  const folder = await mkdtemp(join(root, "locked-"));
  await symlink("/etc", join(folder, "out-link"));
  await withBench(folder, { memoryMb: 256, diskMb: 64 }, async (bench) => {
    await bench.run("CREATE TABLE t AS SELECT $1 AS a", ["x"]);
    await bench.run(`COPY t TO '${folder}/t.parquet' (FORMAT parquet)`);
    for (const sql of [
      "SELECT * FROM read_csv('/etc/passwd')",
      `SELECT * FROM read_csv('${folder}/../secret.csv')`,
      `SELECT * FROM read_csv('${folder}/out-link/passwd')`,
      `COPY t TO '${root}/outside.csv'`,
      "ATTACH '/tmp/other.duckdb' AS other",
      "INSTALL httpfs",
      "SET memory_limit = '64GB'",
      "SELECT * FROM read_csv('https://example.org/x.csv')",
      "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
    ])
      await expect(bench.run(sql), sql).rejects.toThrow();
  });
});

const LOOKING = {
  ...{ file: "raw/0", tail: null, name: "x.csv", mediaType: null, isWhole: true, headBytes: 1_000_000 },
  ...{ link: null, url: "https://office.example.org/x.csv", reader: null, member: null },
};

test("a plan that only looks gets proposals for a reader, and builds nothing", async () => {
  const { folder, plan } = await runFolder({ format: "csv", raw: [Buffer.from("a;b\n1;2,5\n2;3,5\n")] });
  const looking = { ...plan, inspect: LOOKING };
  await writeFile(join(folder, "plan.json"), JSON.stringify(looking));
  const signal = new AbortController().signal;
  const outcome = await runSandbox({ folder, plan, signal, program, onEvent: () => undefined });
  expect(outcome.inspection).toMatchObject({
    reader: { format: "csv", options: { delimiter: ";" } },
    ...{ isTried: true, isAll: true, rows: 2 },
    columns: [
      { name: "a", type: "int64" },
      { name: "b", type: "decimal" },
    ],
  });
  expect(outcome.sources).toEqual([]);
});
