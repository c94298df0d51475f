import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { decompress } from "fzstd";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { openSource } from "@/lib/readers/containers/source-file";
import { planReading } from "@/lib/readers/typed/plan-reading";
import type { ColumnNote, PublishRequest } from "@/lib/schemas/publish";
import { useTestState } from "@/lib/testing/database";
import { propertyParameters } from "@/lib/testing/property";
import { sealStage } from "./seal";
import { fillStage } from "./stage";
import { withWorkbench } from "./workbench";

const state = useTestState();
const about = {
  dataset: {
    slug: "d",
    title: "It's a title",
    summary: "",
    description: "",
    publisher: { name: "P" },
    license: "MIT",
    topics: [],
  },
  table: { slug: "t", name: "T" },
} satisfies Pick<PublishRequest, "dataset" | "table">;
let files = 0;

interface Sealed {
  bytes: Buffer;
  types: Record<string, string>;
  storages: string[];
}

async function seal(
  content: string | Buffer,
  options: { format?: string; notes?: ColumnNote[]; orderBy?: string[] } = {},
): Promise<Sealed> {
  files += 1;
  const path = join(state.dataDir(), `${files}.${options.format ?? "csv"}`);
  writeFileSync(path, content);
  const { notes = [], orderBy = [] } = options;
  return await withWorkbench(async (bench) => {
    const source = await openSource(path, undefined, bench.folder);
    const stage = await fillStage(bench, await planReading(bench, source, notes, { orderBy }));
    const sealed = await sealStage(bench, stage, about, notes, orderBy);
    const types = Object.fromEntries(sealed.columns.map(({ name, type }) => [name, type]));
    return { bytes: readFileSync(sealed.path), types, storages: sealed.columns.map(({ storage }) => storage) };
  });
}

/** A Parquet file of one row with these columns, each given as SQL. */
async function parquetOf(columns: Record<string, string>): Promise<Buffer> {
  return await withWorkbench(async (bench) => {
    const path = join(bench.folder, "made.parquet");
    const list = Object.entries(columns).map(([name, sql]) => `${sql} AS "${name}"`);
    await bench.run(`COPY (SELECT ${list.join(", ")}) TO '${path}' (FORMAT parquet)`);
    return readFileSync(path);
  });
}

/** Reads with a reader that shares no code with DuckDB. */
async function readBack(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const file = new Uint8Array(bytes).buffer;
  const compressors = { ZSTD: (input: Uint8Array, length: number) => decompress(input, new Uint8Array(length)) };
  return await parquetReadObjects({ file, compressors });
}

describe("an independent reader finds the same values", () => {
  test("of every type inferred from CSV", async () => {
    const csv =
      `i,f,s,b,d,t,z\n9007199254740993,0.1,007,true,2024-02-29,2024-02-29T12:00:00.123456+02:00,\n` +
      `-1,NaN,"",false,0001-01-01,9999-12-31 23:59:59,"ü,""x"""\n`;
    const rows = await readBack((await seal(csv)).bytes);
    expect(rows[0]).toMatchObject({
      i: 9007199254740993n,
      f: 0.1,
      s: "007",
      b: true,
      d: new Date("2024-02-29"),
      t: new Date("2024-02-29T10:00:00.123Z"),
      z: null,
    });
    expect(rows[1]).toMatchObject({
      i: -1n,
      f: Number.NaN,
      s: "",
      b: false,
      t: new Date("9999-12-31T23:59:59Z"),
      z: 'ü,"x"',
    });
  });

  test("of random cells with every character, as they were written", async () => {
    const cell = fc
      .option(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", '"', ",", "\n", "\r\n", " ", "007", "\0")), {
        nil: null,
      })
      .filter((text) => !text?.startsWith("\ufeff")); // which hyparquet itself would drop
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 30 }), async (rows) => {
        const quote = (value: string | null) => (value === null ? "" : `"${value.replaceAll('"', '""')}"`);
        const csv = `a,b\n${rows.map(([a, b]) => `${quote(a)},${quote(b)}\n`).join("")}`;
        const notes = ["a", "b"].map((name) => ({ name, type: "string" }));
        const read = await readBack((await seal(csv, { notes })).bytes);
        expect(read.map(({ a, b }) => [a, b])).toEqual(rows);
      }),
      propertyParameters(10),
    );
  });
});

describe("both zeros keep their sign", () => {
  const zeros = Array.from({ length: 300 }, (_, row) => ["-0.0", "0.0", "1.5"][row % 3]);
  const signs = (values: unknown[]) => [
    values.filter((value) => Object.is(value, -0)).length,
    values.filter((value) => Object.is(value, 0)).length,
  ];

  test.each([
    ["in the file's order", []],
    ["sorted by them", ["f"]],
    ["sorted by another column", ["k"]],
  ])("%s", async (_, orderBy) => {
    const rows = await readBack((await seal(`k,f\n${zeros.map((f, k) => `${k},${f}\n`).join("")}`, { orderBy })).bytes);
    expect(signs(rows.map(({ f }) => f))).toEqual([100, 100]);
  });

  test("in float32, in lists and in structs", async () => {
    const parquet = async (sql: string) => {
      const input = await withWorkbench(async (bench) => {
        const path = join(bench.folder, "zeros.parquet");
        const zero = "CASE i % 3 WHEN 0 THEN '-0.0'::FLOAT WHEN 1 THEN 0::FLOAT ELSE 1::FLOAT END";
        await bench.run(
          `COPY (SELECT ${sql.replaceAll("$", zero)} AS x FROM range(300) r(i)) TO '${path}' (FORMAT parquet, ` +
            "DICTIONARY_SIZE_LIMIT 1)",
        );
        return readFileSync(path);
      });
      return (await readBack((await seal(input, { format: "parquet" })).bytes)).map(({ x }) => x);
    };
    expect(signs(await parquet("$"))).toEqual([100, 100]);
    expect(signs((await parquet("[$, 7.5]")).map((x) => (x as number[])[0]))).toEqual([100, 100]);
    expect(signs((await parquet("{'a': $, 'b': 'x'}")).map((x) => (x as { a: number }).a))).toEqual([100, 100]);
  });
});

describe("the Parquet file", () => {
  const lines = Array.from({ length: 150_000 }, (_, row) => `${(row * 7919) % 1000},${row},${"x".repeat(row % 13)}`);
  const csv = `k,row,text\n${lines.join("\n")}\n`;

  test("has the same bytes for the same input, sorted with the file's order between equals", async () => {
    const [first, second] = [await seal(csv, { orderBy: ["k"] }), await seal(csv, { orderBy: ["k"] })];
    expect(first.bytes.equals(second.bytes)).toBe(true);
    const rows = (await readBack(first.bytes)) as { k: bigint; row: bigint }[];
    const sorted = rows.every((row, at) => {
      const before = rows[at - 1];
      return !before || before.k < row.k || (before.k === row.k && before.row < row.row);
    });
    expect([rows.length, sorted]).toEqual([150_000, true]);
  });

  test("has row groups of 122,880 rows, zstd compression and its metadata", async () => {
    const notes = [{ name: "k", description: "The key's meaning", unit: "m" }];
    const { bytes } = await seal(csv, { notes });
    const meta = parquetMetadata(new Uint8Array(bytes).buffer);
    expect(meta.row_groups.map((group) => Number(group.num_rows))).toEqual([122_880, 27_120]);
    expect(new Set(meta.row_groups.flatMap((group) => group.columns.map((column) => column.meta_data?.codec)))).toEqual(
      new Set(["ZSTD"]),
    );
    const pairs = Object.fromEntries((meta.key_value_metadata ?? []).map(({ key, value }) => [key, value]));
    expect(pairs).toMatchObject({ dataset: "d", table: "t", title: "It's a title", publisher: "P", license: "MIT" });
    expect(JSON.parse(pairs.columns ?? "")[0]).toEqual({
      name: "k",
      type: "int64",
      description: "The key's meaning",
      unit: "m",
    });
  });

  test("keeps nulls last when sorted", async () => {
    const rows = await readBack((await seal("a\n\n2\n\n1\n", { orderBy: ["a"] })).bytes);
    expect(rows.map(({ a }) => a)).toEqual([1n, 2n, null, null]);
  });
});

describe("Parquet input keeps its types", () => {
  test.each([
    ["TINYINT '-3'", "int8", "TINYINT"],
    ["18446744073709551615::UBIGINT", "uint64", "UBIGINT"],
    ["1.5::FLOAT", "float32", "FLOAT"],
    ["1.50::DECIMAL(18,2)", "decimal(18,2)", "DECIMAL(18,2)"],
    ["TIMESTAMP '2024-01-01 00:00:00'", "timestamp", "TIMESTAMP WITH TIME ZONE"],
    ["'2024-01-01 00:00:00.123456000'::TIMESTAMP_NS", "timestamp", "TIMESTAMP WITH TIME ZONE"],
    ["'10:00:00+02'::TIMETZ", "time", "TIME"],
    ["TIME '10:00:00'", "time", "TIME"],
    ["'a'::ENUM('a', 'b')", "string", "VARCHAR"],
    ["'101'::BIT", "string", "VARCHAR"],
    ["'\\xAA'::BLOB", "binary", "BLOB"],
    ["'6f9619ff-8b86-d011-b42d-00c04fc964ff'::UUID", "uuid", "UUID"],
    ["'{}'::JSON", "json", "JSON"],
    ["[1, 2]", "list<int32>", "INTEGER[]"],
    ["{'a': 1, 'b c': [TIMESTAMP '2024-01-01']}", "struct", 'STRUCT(a INTEGER, "b c" TIMESTAMP WITH TIME ZONE[])'],
    ["MAP {'k': 1}", "list<struct>", 'STRUCT("key" VARCHAR, "value" INTEGER)[]'],
  ])("%s is %s", async (sql, type, storage) => {
    const { types, storages } = await seal(await parquetOf({ x: sql }), { format: "parquet" });
    expect([types.x, storages[0]]).toEqual([type, storage]);
  });

  test.each([
    ["INTERVAL 1 DAY", /"x" has the type INTERVAL.*number with a unit/],
    ["'2024-01-01 00:00:00.123456789'::TIMESTAMP_NS", /Row 1, column "x"/],
    ["'infinity'::DATE", /Row 1, column "x"/],
    ["'infinity'::TIMESTAMPTZ", /Row 1, column "x"/],
    ["'10000-01-01'::DATE", /Row 1, column "x"/],
    ["[INTERVAL 1 DAY]", /which is not supported/],
    ["CAST('[1,]' AS JSON)", /Row 1, column "x": "\[1,\]" is not json/],
  ])("%s is rejected", async (sql, message) => {
    await expect(seal(await parquetOf({ x: sql }), { format: "parquet" })).rejects.toThrow(message);
  });

  test("a declared type must keep every value", async () => {
    const file = await parquetOf({ x: "300" });
    expect((await seal(file, { format: "parquet", notes: [{ name: "x", type: "int64" }] })).types.x).toBe("int64");
    await expect(seal(file, { format: "parquet", notes: [{ name: "x", type: "int8" }] })).rejects.toThrow(
      /Row 1, column "x": "300" is not int8/,
    );
    const text = await parquetOf({ x: `'{"a":NaN}'` });
    await expect(seal(text, { format: "parquet", notes: [{ name: "x", type: "json" }] })).rejects.toThrow(
      /is not json/,
    );
  });

  test("names that differ only in case are rejected, as are damaged files", async () => {
    await expect(seal(Buffer.from("PAR1 no"), { format: "parquet" })).rejects.toThrow(/is cut off/);
  });
});

test("widely spread 32-bit integers are written so that other readers can read them", async () => {
  const path = join(state.dataDir(), "wide.parquet");
  const numbers = [4294967295, 4294967295, 0, null, 0, 4294967295];
  const signed = (value: number | null) => (value === null ? null : value - 2147483648);
  const wide = ["-9223372036854775808", "0", "9223372036854775807"]; // of 64 bits: kept apart from the others
  const rows = numbers.map(
    (value, at) => `(${value ?? "NULL"}, ${signed(value) ?? "NULL"}, [${value ?? 7}, 0], ${wide[at % 3]})`,
  );
  await withWorkbench((bench) =>
    bench.run(
      "COPY (SELECT CAST(u AS UINTEGER) AS u, CAST(s AS INTEGER) AS s, CAST(l AS UINTEGER[]) AS l, " +
        `CAST(w AS BIGINT) AS w FROM (VALUES ${rows.join(", ")}) t(u, s, l, w)) TO '${path}' (FORMAT parquet)`,
    ),
  );
  const { bytes } = await seal(readFileSync(path), { format: "parquet" });
  expect(await readBack(bytes)).toEqual(
    numbers.map((value, at) => ({ u: value, s: signed(value), l: [value ?? 7, 0], w: BigInt(wide[at % 3] ?? "") })),
  );
  // the reader above forgives differences of 33 bits, which arrow-rs rejects
  for (const { columns } of parquetMetadata(new Uint8Array(bytes).buffer).row_groups)
    for (const { meta_data } of columns) expect(meta_data?.encodings).not.toContain("DELTA_BINARY_PACKED");
});

test("zstd is unpacked", async () => {
  const packed = await withWorkbench(async (bench) => {
    await bench.run(`COPY (SELECT 7 AS a) TO '${join(bench.folder, "x.csv")}' (HEADER, COMPRESSION zstd)`);
    return readFileSync(join(bench.folder, "x.csv"));
  });
  expect(await readBack((await seal(packed)).bytes)).toEqual([{ a: 7n }]);
});
