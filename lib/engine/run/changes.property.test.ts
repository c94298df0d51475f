import { join } from "node:path";
import fc from "fast-check";
import { parse, stringify } from "lossless-json";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quoteIdentifier } from "@/lib/engine/sql/identifier";
import { toArrow } from "@/lib/formats/arrow";
import { toParquet } from "@/lib/formats/parquet";
import { toNdjson } from "@/lib/formats/text";
import { ask, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import { propertyParameters } from "@/lib/testing/property";
import { plainFromJson, readArrow, readParquet } from "@/lib/testing/read-back";
import { TYPED_KINDS, type TypedKind } from "@/lib/testing/typed-kinds";
import { type Changes, changeColumns, readChanges, writeChanges } from "./changes";

const KEYS: readonly TypedKind[] = TYPED_KINDS.filter(({ type }) => /^(int32|string|uuid|binary|date)$/.test(type));

/** Each cell is an index into the cells of its column; null if beyond them. */
interface Side {
  columns: { name: string; kind: TypedKind }[];
  rows: number[][];
}

interface Sketch {
  before: Side;
  after: Side;
  isKeyed: boolean;
  limit: number;
}

const NAMES = ["k", 'v "x"', "ключ", "row"];

/**
 * Two versions with up to four columns, the first of which may be their key. The later one has lost, gained, retyped or
 * moved some, and most of its rows are of the earlier one.
 */
const sketches: fc.Arbitrary<Sketch> = fc
  .record({
    isKeyed: fc.boolean(),
    key: fc.constantFrom(...KEYS),
    kinds: fc.array(fc.constantFrom(...TYPED_KINDS), { minLength: 1, maxLength: 3 }),
    other: fc.constantFrom(...TYPED_KINDS),
    turn: fc.constantFrom("none", "none", "drop", "add", "retype", "move"),
    rows: fc.array(fc.array(fc.nat(12), { minLength: 4, maxLength: 4 }), { maxLength: 16 }),
    kept: fc.array(fc.constantFrom("kept", "kept", "gone", "edited", "twice"), { minLength: 16, maxLength: 16 }),
    added: fc.array(fc.array(fc.nat(12), { minLength: 4, maxLength: 4 }), { maxLength: 6 }),
    limit: fc.constantFrom(1, 2, 3, 100),
  })
  .map(({ isKeyed, key, kinds, other, turn, rows, kept, added, limit }) => {
    const columns = [key, ...kinds].map((kind, at) => ({ name: NAMES[at] ?? "", kind }));
    const unique = (list: number[][]) =>
      isKeyed
        ? list.filter(([id = 0], at) => id < key.cells.length && list.findIndex(([same]) => same === id) === at)
        : list;
    const later = rows.flatMap((row, at) => {
      if (kept[at] === "gone") return [];
      if (kept[at] === "twice") return [row, row];
      return [kept[at] === "edited" ? row.map((cell, column) => (column === 1 ? (cell + 1) % 13 : cell)) : row];
    });
    const last = columns.length - 1;
    const turned = {
      none: columns,
      drop: columns.slice(0, last),
      add: [...columns, { name: "new", kind: other }],
      retype: columns.map((column, at) => (at === last ? { ...column, kind: other } : column)),
      move: columns.toReversed(),
    }[turn];
    return {
      before: { columns, rows: unique(rows) },
      after: {
        columns: turned,
        rows: unique([...added, ...later]).map((row) => (turn === "move" ? moved(row, last) : row)),
      },
      ...{ isKeyed, limit },
    };
  });

const moved = (row: readonly number[], last: number): number[] => row.slice(0, last + 1).toReversed();

let fixture: EngineFixture;
let made = 0;
beforeAll(async () => {
  fixture = await openFixture("changes");
});
afterAll(() => fixture.close());

const literal = (text: string): string => `'${text.replaceAll("'", "''").replaceAll("\u0000", "' || chr(0) || '")}'`;

async function sealSide({ columns, rows }: Side, isKeyed: boolean) {
  const cell = (row: readonly number[], at: number) => {
    const { kind, name } = columns[at] as Side["columns"][number];
    const text = kind.cells[row[at] ?? 0];
    return `CAST(${text === undefined ? "NULL" : literal(text)} AS ${kind.storage}) AS ${quoteIdentifier(name)}`;
  };
  const selectOf = (row: readonly number[]) => `SELECT ${columns.map((_, at) => cell(row, at)).join(", ")}`;
  made += 1;
  const select = [...rows.map(selectOf), `${selectOf([])} WHERE false`].join(" UNION ALL ");
  const described = columns.map(({ name, kind: { type, storage } }) => ({ name, type, storage }));
  const version = await seal(fixture, `changes-${made}`, select, described, "snappy");
  return { ...version, primaryKey: isKeyed ? ["k"] : [] };
}

type Version = Awaited<ReturnType<typeof sealSide>>;

/** Rows as the texts of their cells in a query's reply. */
async function rowsOf(version: Version): Promise<Record<string, string>[]> {
  const { text } = await ask(fixture.engine, version, {
    columns: version.columns.map(({ name }) => name),
    limit: 1000,
  });
  const { rows } = parse(text) as { rows: Record<string, unknown>[] };
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, stringify(cell) ?? ""])),
  );
}

/** What the changes should be, from the rows as a query returns them. */
async function expected(before: Version, after: Version): Promise<string[]> {
  const heads = ({ columns }: Version) => columns.map(({ name, type }) => ({ name, type }));
  const isSame = (name: string) => {
    const [one, other] = [before, after].map(({ columns }) => columns.find((column) => column.name === name));
    return one !== undefined && other !== undefined && one.type === other.type && one.storage === other.storage;
  };
  const names = after.columns.map(({ name }) => name);
  const differ = [...new Set([...names, ...before.columns.map(({ name }) => name)])].filter((name) => !isSame(name));
  const schema =
    JSON.stringify(heads(before)) === JSON.stringify(heads(after)) && differ.length === 0
      ? []
      : [
          {
            op: "schema",
            key: null,
            row: null,
            changed: differ,
            columns: { since: heads(before), until: heads(after) },
          },
        ];
  const old = (await rowsOf(before)).map((row) =>
    Object.fromEntries(names.map((name) => [name, isSame(name) ? (row[name] ?? "null") : "null"])),
  );
  const new_ = await rowsOf(after);
  const isKeyed = after.primaryKey.length > 0 && isSame("k");
  return [...schema.map((entry) => JSON.stringify(entry)), ...(isKeyed ? byKey(old, new_, names) : byCount(old, new_))];
}

type Texts = Record<string, string>;

const rowText = (row: Texts): string =>
  `{${Object.entries(row)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(",")}}`;

const entry = (op: string, row: Texts, key: string | undefined, changed: readonly string[] = []): string =>
  `{"op":"${op}","key":${key === undefined ? "null" : `{"k":${key}}`},"row":${rowText(row)},"changed":${JSON.stringify(changed)}}`;

function byKey(old: readonly Texts[], new_: readonly Texts[], names: readonly string[]): string[] {
  const find = (rows: readonly Texts[], row: Texts) => rows.find(({ k }) => k === row.k);
  const deleted = old.filter((row) => !find(new_, row)).map((row) => entry("deleted", row, row.k));
  const rest = new_.flatMap((row) => {
    const same = find(old, row);
    if (!same) return [entry("inserted", row, row.k)];
    const changed = names.filter((name) => same[name] !== row[name]);
    return changed.length > 0 ? [entry("updated", row, row.k, changed)] : [];
  });
  return [...deleted, ...rest];
}

function byCount(old: readonly Texts[], new_: readonly Texts[]): string[] {
  const extra = (op: string, rows: readonly Texts[], others: readonly Texts[]) => {
    const count = (list: readonly Texts[], text: string) => list.filter((row) => rowText(row) === text).length;
    const firsts = rows.filter((row, at) => rows.findIndex((same) => rowText(same) === rowText(row)) === at);
    return firsts.flatMap((row) => {
      const text = rowText(row);
      return Array.from({ length: Math.max(0, count(rows, text) - count(others, text)) }, () =>
        entry(op, row, undefined),
      );
    });
  };
  return [...extra("deleted", old, new_), ...extra("inserted", new_, old)];
}

const exact = (text: string): string => stringify(parse(text)) ?? "";

/** All changes page by page as JSON, with the typed forms of each page compared with its JSON. */
async function pagesOf(changes: Changes, limit: number): Promise<string[]> {
  const all: string[] = [];
  let after: bigint | undefined;
  do {
    const rows = await readChanges(fixture.engine, changes, { after, limit, bytesMax: 1 << 20 }, {});
    const page = { columns: changeColumns(changes), rowParts: rows.parts, returnedRows: rows.taken };
    const lines = toNdjson(page).toString().split("\n").slice(0, -1);
    expect(lines.length).toBe(rows.taken);
    const plain = lines.map((line) => {
      const change = parse(line) as Record<string, unknown>;
      return Object.fromEntries(page.columns.map((column) => [column.name, plainChange(column, change[column.name])]));
    });
    expect(readArrow(toArrow(page, false), plainColumns(page.columns))).toEqual(plain);
    expect(await readParquet(toParquet(page, false), plainColumns(page.columns))).toEqual(plain);
    all.push(...lines.map(exact));
    after = rows.hasMore ? rows.last : undefined;
  } while (after !== undefined);
  return all;
}

/** JSON documents are text there. */
const plainColumns = (columns: ReturnType<typeof changeColumns>) =>
  columns.map((column) => ({ ...column, storage: column.storage.replaceAll(/ JSON\b/g, " VARCHAR") }));

function plainChange(column: ReturnType<typeof changeColumns>[number], value: unknown) {
  if (column.type !== "struct" || value === null) return plainFromJson(column, value);
  const documents = new Set(
    [...column.storage.matchAll(/"((?:[^"]|"")*)" JSON\b/g)].map(([, name = ""]) => name.replaceAll('""', '"')),
  );
  const row = value as Record<string, unknown>;
  const texts = Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, documents.has(name) && cell !== null ? stringify(cell) : cell]),
  );
  return plainFromJson({ ...column, storage: column.storage.replaceAll(/ JSON\b/g, " VARCHAR") }, texts);
}

test("changes are those that a comparison of the rows finds, page by page and in every form", async () => {
  await fc.assert(
    fc.asyncProperty(sketches, async ({ before, after, isKeyed, limit }) => {
      const [one, two] = [await sealSide(before, isKeyed), await sealSide(after, isKeyed)];
      const path = join(fixture.options.copiesDir, `changes-${made}.tmp`);
      const changes = await writeChanges(fixture.engine, one, two, { path, id: `changes-${made}` }, {});
      const entries = await pagesOf(changes, limit);
      expect(entries).toEqual((await expected(one, two)).map(exact));
      expect(changes.total).toBe(entries.length);
    }),
    propertyParameters(25),
  );
});

test("a row is listed as often as it occurs more, in any number", async () => {
  const columns = [{ name: "a", type: "int64", storage: "BIGINT" }];
  const versions = [9_000, 21_000].map((n, at) =>
    seal(fixture, `many-${at}`, `SELECT 7::BIGINT AS a FROM range(${n})`, columns),
  );
  const [one, two] = (await Promise.all(versions)).map((version) => ({ ...version, primaryKey: [] }));
  if (!one || !two) throw new Error("no versions");
  const path = join(fixture.options.copiesDir, "many.tmp");
  const changes = await writeChanges(fixture.engine, one, two, { path, id: "many" }, {});
  const page = { after: 9_999n, limit: 10_000, bytesMax: 1 << 20 };
  expect(changes.total).toBe(12_000);
  expect((await readChanges(fixture.engine, changes, page, {})).taken).toBe(2_000);
});
