import { mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { tar } from "@/lib/kernel/tar";
import { csv, useSandbox } from "@/lib/testing/sandbox-runs";
import { zipped } from "@/lib/testing/ugly-files/workbook";
import { withBench } from "./bench";
import { runSandbox } from "./run-sandbox";

const { root, program, runFolder, run, failureOf } = useSandbox();

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

test("the rows' digest is unchanged if only bytes change, and changes with a cell", async () => {
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

describe("containers are unpacked:", () => {
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

describe("Parquet is rewritten:", () => {
  test("an untrusted file never leaves the sandbox", async () => {
    const folder = await mkdtemp(join(root(), "parquet-"));
    await withBench(folder, { memoryMb: 256, diskMb: 64 }, (bench) =>
      bench.run(`COPY (SELECT 1 AS a, TIMESTAMP '2026-01-01' AS t) TO '${folder}/x.parquet' (FORMAT parquet)`),
    );
    const raw = await readFile(join(folder, "x.parquet"));
    const made = await run({ format: "parquet", raw: [raw] });
    expect(made.outcome.sources[0]).toMatchObject({ form: "parquet", files: ["cells/1-0.parquet"], rows: 1 });
    expect((await readFile(join(made.folder, "cells/1-0.parquet"))).equals(raw)).toBe(false);
  });

  test("a file that is not Parquet is rejected without mentioning a path", async () => {
    const failure = await failureOf({ format: "parquet", raw: [Buffer.from("PAR1 nothing PAR1")] });
    expect(failure.code).toBe("reader_mismatch");
    expect(failure.message).not.toContain(root());
  });
});

test("a failure names source, part and row", async () => {
  const { code, at } = await failureOf({ format: "csv", raw: [csv("a", "1"), csv("a", "2,3")] });
  expect({ code, at }).toEqual({ code: "reader_mismatch", at: { source: "office", part: 1, row: 2 } });
});

test("names of any length are read, or refused by name", async () => {
  const long = Array.from({ length: 100 }, (_, at) => `${at}${"x".repeat(1000)}`);
  const { outcome, events } = await run({ format: "csv", raw: [csv(long.join(","), "1".concat(",1".repeat(99)))] });
  expect(outcome.sources[0]?.columns.map(({ name }) => name)).toEqual(long);
  expect(events).toMatchObject([{ decoded: { rows: 1, columns: [] } }]);
  const twice = "x".repeat(100_000);
  const { code, message } = await failureOf({ format: "csv", raw: [csv(`${twice},${twice}`, "1,2")] });
  expect({ code, message }).toEqual({ code: "header_mismatch", message: expect.stringMatching(/Duplicate.{3900}/) });
});

test("a cancelled run ends as cancelled, and leaves no process behind", async () => {
  const controller = new AbortController();
  const raw = [Buffer.from(`a,b,c\n${"1,2,3\n".repeat(3_000_000)}`)];
  const running = failureOf({ format: "csv", raw, limits: { rows: 2 ** 30 } }, controller.signal);
  setImmediate(() => controller.abort());
  expect((await running).code).toBe("cancelled");
});

test("its DuckDB reads and writes only the run's folder", async () => {
  const folder = await mkdtemp(join(root(), "locked-"));
  await symlink("/etc", join(folder, "out-link"));
  await withBench(folder, { memoryMb: 256, diskMb: 64 }, async (bench) => {
    await bench.run("CREATE TABLE t AS SELECT 'x' AS a");
    await bench.run(`COPY t TO '${folder}/t.parquet' (FORMAT parquet)`);
    for (const sql of [
      "SELECT * FROM read_csv('/etc/passwd')",
      `SELECT * FROM read_csv('${folder}/../secret.csv')`,
      `SELECT * FROM read_csv('${folder}/out-link/passwd')`,
      `COPY t TO '${root()}/outside.csv'`,
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

test("a plan with inspect gets proposals for a reader, and builds nothing", async () => {
  const { folder, plan } = await runFolder({ format: "csv", raw: [Buffer.from("a;b\n1;2,5\n2;3,5\n")] });
  const looking = { ...plan, inspect: LOOKING };
  await writeFile(join(folder, "plan.json"), JSON.stringify(looking));
  const signal = new AbortController().signal;
  const outcome = await runSandbox({ folder, plan, signal, program: program(), onEvent: () => undefined });
  expect(outcome.inspection).toMatchObject({
    reader: { format: "csv", options: { delimiter: ";" } },
    ...{ isTried: true, isAll: true, rows: 2 },
    columns: [
      { name: "a", type: "int64" },
      { name: "b", type: "float64" },
    ],
  });
  expect(outcome.sources).toEqual([]);
});
