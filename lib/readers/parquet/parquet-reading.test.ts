import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BuildBench, BuildPlan } from "@/lib/builds/plan";
import { withWorkbench } from "@/lib/publish/workbench";
import { withBench } from "@/lib/sandbox/bench";
import { rewriteParquet } from "@/lib/sandbox/decode-source";
import { tryReader } from "@/lib/sandbox/tried-reader";
import { asInt96, int96, type MadeColumn, parquetBytes, withFooter, withNodes } from "@/lib/testing/parquet-bytes";
import { rejection, useReading } from "@/lib/testing/read-file";
import { struct, THRIFT } from "./thrift";

const { read, readPath, folder } = useReading();

/** A file that DuckDB writes. */
async function duckdbFile(select: string): Promise<Buffer> {
  return await withWorkbench(async (bench) => {
    const path = join(bench.folder, "made.parquet");
    await bench.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
    return readFileSync(path);
  });
}

/** In a bench as a recipe's run has it. */
async function inBench<T>(bytes: Buffer, work: (bench: BuildBench, path: string) => Promise<T>): Promise<T> {
  const place = mkdtempSync(join(folder(), "bench-"));
  mkdirSync(join(place, "cells"));
  const path = join(place, "raw.parquet");
  writeFileSync(path, bytes);
  return await withBench(place, { memoryMb: 512, diskMb: 512 }, (bench) => work(bench, path));
}

/** The rows as a recipe's run decodes them. */
const inSandbox = (bytes: Buffer) =>
  inBench(bytes, async (bench, path) => {
    await rewriteParquet(bench, path, "cells/1.parquet", { columns: undefined, rowsMax: undefined });
    return await bench.rows(`SELECT COLUMNS(*)::VARCHAR FROM '${join(bench.folder, "cells/1.parquet")}'`);
  });

/** What an inspection proposes for it. */
const inspected = (bytes: Buffer) =>
  inBench(bytes, async (bench, path) => {
    const plan = { limits: { rows: 100, unpackedBytes: 2 ** 20, diskMb: 64, seconds: 60 } } as BuildPlan;
    const reader = { format: "parquet", options: {} } as const;
    return await tryReader({ bench, plan, path, reader, isWhole: true, mayFix: false });
  });

/** Each kind of file through both doors, which must agree. */
async function both(bytes: Buffer) {
  const published = await read("x.parquet", bytes);
  expect(await inSandbox(bytes)).toEqual(published.rows);
  const proposed = (await inspected(bytes)).columns.map(({ name, type }) => [name, type]);
  expect(Object.fromEntries(proposed)).toEqual(published.types);
  return published;
}

async function bothReject(bytes: Buffer): Promise<string> {
  const message = await rejection(read("x.parquet", bytes));
  expect(await rejection(inSandbox(bytes))).toBe(message);
  expect(await rejection(inspected(bytes))).toBe(message);
  return message;
}

const wide = (precision: number, scale: number, bytes: number): MadeColumn["leaf"] => ({
  ...{ type: "FIXED_LEN_BYTE_ARRAY", type_length: bytes, converted_type: "DECIMAL", precision, scale },
});
const nested = (leaf: MadeColumn["leaf"], value: unknown): Record<string, MadeColumn> => ({
  plain: { leaf, values: [value, null] },
  list: { leaf, in: "list", values: [[value, null], null] },
  struct: { leaf, in: "struct", values: [{ a: value }, null] },
  map: { leaf, in: "map", values: [{ k: value }, null] },
});

describe("decimals of more than 38 digits", () => {
  test.each([
    [39, 17],
    [76, 32],
  ])("of %d digits are read exactly at every depth", async (precision, bytes) => {
    const { types, rows } = await both(parquetBytes(nested(wide(precision, 2, bytes), -12345678901234567890123n)));
    expect(types).toEqual({
      plain: "decimal(38,2)",
      list: "list<decimal(38,2)>",
      struct: "struct",
      map: "list<struct>",
    });
    const value = "-123456789012345678901.23";
    const first = [value, `[${value}, NULL]`, `{'a': ${value}}`, `[{'key': k, 'value': ${value}}]`];
    expect(rows).toEqual([first, [null, null, null, null]]);
  });

  test("in bytes of any length", async () => {
    const leaf: MadeColumn["leaf"] = { type: "BYTE_ARRAY", converted_type: "DECIMAL", precision: 40, scale: 1 };
    expect((await both(parquetBytes({ d: { leaf, values: [15n, -1n, 10n ** 37n] } }))).rows).toEqual([
      ["1.5"],
      ["-0.1"],
      [`1${"0".repeat(36)}.0`],
    ]);
  });

  test("are rejected by name if a value has more digits, in 128 bits or beyond, or if all may have", async () => {
    const file = (precision: number, scale: number, bytes: number, value: bigint) =>
      parquetBytes({
        n: { leaf: wide(1, 0, 1), values: [1n] },
        d: { leaf: wide(precision, scale, bytes), values: [value] },
      });
    expect(await bothReject(file(39, 2, 17, 10n ** 38n))).toBe(
      `Row 1, column "d": "1${"0".repeat(36)}.00" is not decimal(38,2). Write it with at most 38 digits, or as text.`,
    );
    expect(await bothReject(file(76, 2, 32, 10n ** 60n))).toBe(
      'Column "d" has the type decimal(76,2), and a value of more than 38 digits. Write it with at most 38 digits, ' +
        "or as text.",
    );
    expect(await bothReject(file(76, 50, 32, 1n))).toBe(
      'Column "d" has the type decimal(76,50), which is not supported. Write it with at most 38 digits, or as text.',
    );
  });
});

test("decimals with more digits than their type declares are rejected", async () => {
  const leaf: MadeColumn["leaf"] = { type: "INT32", converted_type: "DECIMAL", precision: 4, scale: 1 };
  const file = parquetBytes({ d: { leaf, values: [999.9, 1000] } });
  expect(await bothReject(file)).toMatch(/^Row 2, column "d": "1000\.0" is not decimal\(4,1\)\./);
});

describe("nanoseconds", () => {
  const at = (nanoseconds: bigint) => 1_704_067_200_123_456_000n + nanoseconds;
  const leaf = (isAdjustedToUTC: boolean): MadeColumn["leaf"] => ({
    ...{ type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC, unit: "NANOS" } },
  });
  const kinds: [string, (nanoseconds: bigint) => Buffer][] = [
    ["in UTC", (nanoseconds) => parquetBytes(nested(leaf(true), at(nanoseconds)))],
    ["without a zone", (nanoseconds) => parquetBytes(nested(leaf(false), at(nanoseconds)))],
    [
      "of INT96",
      (nanoseconds) =>
        asInt96(parquetBytes(nested({ type: "FIXED_LEN_BYTE_ARRAY", type_length: 12 }, int96(at(nanoseconds))))),
    ],
  ];

  test.each(kinds)("%s are read at every depth if they are zero", async (_, make) => {
    const { types, rows } = await both(make(0n));
    expect(types).toEqual({ plain: "timestamp", list: "list<timestamp>", struct: "struct", map: "list<struct>" });
    const value = "2024-01-01 00:00:00.123456+00";
    expect(rows).toEqual([
      [value, `['${value}', NULL]`, `{'a': '${value}'}`, `[{'key': k, 'value': '${value}'}]`],
      [null, null, null, null],
    ]);
  });

  test.each(kinds)("%s are rejected at every depth if they are not", async (_, make) => {
    expect(await bothReject(make(1n))).toMatch(
      /^Row 1, column "plain": "2024-01-01 00:00:00\.123456001" is not timestamp\. The service keeps microseconds\./,
    );
  });

  test.each(["list", "struct", "map"] as const)("are rejected in a %s of its own", async (nesting) => {
    const value = { list: [at(1n)], struct: { a: at(1n) }, map: { k: at(1n) } }[nesting];
    const utc = parquetBytes({ c: { leaf: leaf(true), in: nesting, values: [value] } });
    expect(await bothReject(utc)).toMatch(/^Row 1, column "c": ".*123456001.*" is not .*microseconds/);
    const raw = { list: [int96(at(1n))], struct: { a: int96(at(1n)) }, map: { k: int96(at(1n)) } }[nesting];
    const legacy = { leaf: { type: "FIXED_LEN_BYTE_ARRAY" as const, type_length: 12 }, in: nesting, values: [raw] };
    expect(await bothReject(asInt96(parquetBytes({ c: legacy })))).toMatch(/^Row 1, column "c": ".*123456001/);
  });

  test("of times in UTC are rejected if they are not zero", async () => {
    const time: MadeColumn["leaf"] = {
      ...{ type: "INT64", logical_type: { type: "TIME", isAdjustedToUTC: true, unit: "NANOS" } },
    };
    expect((await both(parquetBytes({ t: { leaf: time, values: [1000n] } }))).rows).toEqual([["00:00:00.000001"]]);
    expect(await bothReject(parquetBytes({ t: { leaf: time, values: [1001n] } }))).toMatch(/is not time/);
  });
});

test("INT96 before 1970, at the ends of the range and in every byte are the instants that they say", async () => {
  const instants = [-1000n, -62_135_596_800_000_000_000n, 253_402_300_799_999_999_000n, 1_000_000_000_000_000_000n];
  const leaf: MadeColumn["leaf"] = { type: "FIXED_LEN_BYTE_ARRAY", type_length: 12 };
  const file = (values: bigint[]) => asInt96(parquetBytes({ t: { leaf, values: values.map(int96) } }));
  expect((await both(file(instants))).rows.flat()).toEqual([
    "1969-12-31 23:59:59.999999+00",
    "0001-01-01 00:00:00+00",
    "9999-12-31 23:59:59.999999+00",
    "2001-09-09 01:46:40+00",
  ]);
  expect(await bothReject(file([253_402_300_800_000_000_000n]))).toMatch(/^Row 1, column "t": "Julian day 5373485"/);
});

describe("values that other types of the file allow", () => {
  test.each([
    ["a list of days after 9999", "SELECT [DATE '10000-01-01'] AS c"],
    ["a struct of instants before 0001", "SELECT {a: TIMESTAMP '0044-01-01 (BC) 00:00:00'} AS c"],
    ["the 25th hour", "SELECT TIME '24:00:00' AS c"],
  ])("%s is rejected", async (_, select) => {
    expect(await bothReject(await duckdbFile(select))).toMatch(/^Row 1, column "c": /);
  });

  test("are rejected though the file's own statistics deny them", async () => {
    const bytes = await duckdbFile("SELECT unnest([TIMESTAMP '33658-09-27 01:46:40', '2001-09-09 01:46:40']) AS c");
    const [said, told] = [10n ** 18n, 10n ** 15n].map((value) => {
      const raw = Buffer.alloc(8);
      raw.writeBigInt64LE(value);
      return raw;
    }) as [Buffer, Buffer];
    const lying = withFooter(bytes, (metadata) => {
      const groups = metadata.get(4);
      if (!groups) throw new Error("The file has no row groups");
      const raw = Buffer.from(groups.raw);
      expect(raw.indexOf(said)).toBeGreaterThan(0);
      for (let at = raw.indexOf(said); at >= 0; at = raw.indexOf(said)) told.copy(raw, at);
      metadata.set(4, { type: THRIFT.list, raw });
    });
    expect(await bothReject(lying)).toMatch(/^Row 1, column "c": "33658-09-27/);
  });
});

test("a struct whose fields differ only in case is rejected, as DuckDB would rename one", async () => {
  const file = await duckdbFile("SELECT {ab: 1, xy: 2} AS c");
  const clash = footerOf(file, (footer) => {
    for (let at = footer.indexOf("xy"); at >= 0; at = footer.indexOf("xy")) footer.write("AB", at);
  });
  expect(await bothReject(clash)).toBe(
    'Column "c" has two fields of one name, "ab" and "AB" (ignoring case). Rename one of them in the file.',
  );
});

describe("a file that is not whole, or not Parquet", () => {
  const whole = () => duckdbFile("SELECT range AS n, 'word ' || range AS word FROM range(100)");
  const damages: [string, (bytes: Buffer) => Buffer, RegExp][] = [
    ["its end cut off", (bytes) => bytes.subarray(0, -20), /^The Parquet file is cut off: its end is missing\./],
    [
      "its beginning cut off",
      (bytes) => bytes.subarray(50),
      /^The Parquet file is damaged: its beginning is missing\./,
    ],
    [
      "the middle lost",
      (bytes) => Buffer.concat([bytes.subarray(0, 4), bytes.subarray(60)]),
      /^Column ".*" cannot be /,
    ],
    [
      "a footer of other bytes",
      (bytes) => footerOf(bytes, (footer) => footer.fill(0xff)),
      /its footer cannot be read, since /,
    ],
    [
      "a column's type of other bytes",
      (bytes) => withNodes(bytes, (node) => node.set(10, struct({ 5: { type: THRIFT.i8, raw: Buffer.of(0xff) } }))),
      /its footer cannot be read, since there is no type 15\./,
    ],
    ["a footer longer than the file", (bytes) => lengthOf(bytes, 1 << 30), /its footer is longer than the file\./],
    [
      "an encrypted footer",
      (bytes) => Buffer.concat([bytes.subarray(0, -4), Buffer.from("PARE")]),
      /is encrypted\. Write/,
    ],
    [
      "encrypted columns",
      (bytes) => withFooter(bytes, (metadata) => metadata.set(8, { type: THRIFT.struct, raw: Buffer.of(0) })),
      /is encrypted\. Write/,
    ],
    [
      "another format",
      () => Buffer.from("a,b\n1,2\n3,4\n"),
      /^The file is not Parquet: it neither begins nor ends with /,
    ],
    ["a few bytes", () => Buffer.from("PAR1PAR1"), /^The Parquet file is cut off/],
  ];

  test.each(damages)("%s: the message says so", async (_, damage, message) => {
    const text = await bothReject(damage(await whole()));
    expect(text).toMatch(message);
    expect(/encrypt/.test(text)).toBe(/encrypt/.test(String(message)));
  });

  test("no columns", async () => {
    const none = withFooter(await whole(), (metadata) => {
      const root = Buffer.concat([Buffer.of(0x48, 1), Buffer.from("r"), Buffer.of(0x15, 0, 0)]);
      metadata.set(2, { type: THRIFT.list, raw: Buffer.concat([Buffer.of(0x1c), root]) });
    });
    expect(await bothReject(none)).toBe("The Parquet file has no columns. Write it with one at least.");
  });
});

const footerOf = (bytes: Buffer, edit: (footer: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  edit(copy.subarray(copy.length - 8 - copy.readUInt32LE(copy.length - 8), -8));
  return copy;
};
const lengthOf = (bytes: Buffer, length: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(length, copy.length - 8);
  return copy;
};

test("text with NUL is kept exactly", async () => {
  expect((await both(await duckdbFile("SELECT 'a' || chr(0) || 'b' AS s, ['a' || chr(0)] AS l"))).rows).toEqual([
    ["a\0b", "[a\0]"],
  ]);
});

test("text that is not UTF-8 is rejected by its column", async () => {
  const leaf: MadeColumn["leaf"] = { type: "BYTE_ARRAY", converted_type: "UTF8" };
  const file = parquetBytes({
    ok: { leaf, values: ["x"] },
    bad: { leaf, values: [new Uint8Array([255, 254])] },
  });
  expect(await bothReject(file)).toBe('Column "bad" contains text that is not UTF-8. Write it as UTF-8, or as binary.');
});

test("a path is the file's own, whatever DuckDB would make of it", async () => {
  const place = join(folder(), "year=2026");
  mkdirSync(place);
  for (const [name, value] of [
    ["a1", 1],
    ["a[1]", 2],
    ["a?", 3],
    ["a*", 4],
  ] as const)
    writeFileSync(join(place, `${name}.parquet`), await duckdbFile(`SELECT ${value} AS n`));
  for (const [name, value] of [
    ["a[1]", "2"],
    ["a?", "3"],
    ["a*", "4"],
  ])
    expect(await readPath(join(place, `${name}.parquet`))).toEqual({ types: { n: "int32" }, rows: [[value]] });
});
