import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { KINDS } from "@/lib/testing/arbitraries";
import { column, type EngineFixture, openFixture, seal } from "@/lib/testing/engine-fixture";
import { type Cell, readTable } from "@/lib/testing/evaluator";
import { propertyParameters } from "@/lib/testing/property";
import { compareRows } from "./compare";

interface Sketch {
  kinds: (typeof KINDS)[number][];
  /** Each cell is an index into the pool of its kind, or null if beyond it. */
  before: number[][];
  after: number[][];
  keyed: boolean;
}

/**
 * Two versions with the same few columns. Half of the later version's rows come from the earlier one, some with a
 * changed cell.
 */
const sketches: fc.Arbitrary<Sketch> = fc
  .record({ kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 3 }), keyed: fc.boolean() })
  .chain(({ kinds, keyed }) => {
    const row = fc.tuple(fc.nat(11), ...kinds.map((kind) => fc.nat(kind.cells.length)));
    const rows = keyed
      ? fc.uniqueArray(row, { selector: ([key]) => key, maxLength: 12 })
      : fc.array(row, { maxLength: 14 });
    return fc.record({
      kinds: fc.constant(kinds),
      keyed: fc.constant(keyed),
      before: rows,
      after: rows,
      kept: fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
    });
  })
  .map(({ kept, ...sketch }) => ({ ...sketch, after: withKept(sketch, kept) }));

function withKept({ before, after, keyed }: Sketch, kept: readonly boolean[]): number[][] {
  const same = before.filter((_, at) => kept[at]);
  return keyed ? [...same, ...after.filter(([key]) => !same.some(([other]) => other === key))] : [...same, ...after];
}

let fixture: EngineFixture;
let sealed = 0;
beforeAll(async () => {
  fixture = await openFixture("compare");
});
afterAll(() => fixture.close());

async function sealRows({ kinds, keyed }: Sketch, rows: readonly number[][], reversed: boolean) {
  const columns = [
    column("k", "int32", "INTEGER"),
    ...kinds.map((kind, at) => column(`v "${at}'`, kind.type, kind.storage)),
  ];
  const order = columns.map((_, at) => at);
  if (reversed) order.reverse();
  const cellOf = (row: readonly number[], at: number) =>
    at === 0 ? String(row[0]) : quoted(kinds[at - 1]?.cells[row[at] ?? 0]);
  const selects = rows.map(
    (row) =>
      "SELECT " +
      `${order
        .map(
          (at) =>
            `CAST(${cellOf(row, at)} AS ${columns[at]?.storage}) AS ` +
            `${JSON.stringify(columns[at]?.name).replaceAll('\\"', '""')}`,
        )
        .join(", ")}`,
  );
  const empty =
    "SELECT " +
    `${order.map((at) => `CAST(NULL AS ${columns[at]?.storage}) AS ${JSON.stringify(columns[at]?.name).replaceAll('\\"', '""')}`).join(", ")} ` +
    "WHERE false";
  sealed += 1;
  const version = await seal(
    fixture,
    `compare-${sealed}`,
    [...selects, empty].join(" UNION ALL "),
    order.map((at) => columns[at] as (typeof columns)[number]),
    "snappy",
  );
  return { ...version, primaryKey: keyed ? ["k"] : [] };
}

const quoted = (cell: string | undefined): string => (cell === undefined ? "NULL" : quoteLiteral(cell));

/** Rows as strings that are equal if the cells are: key first, the other columns by name. */
async function rowsOf(version: Awaited<ReturnType<typeof sealRows>>): Promise<{ key: string; cells: string[] }[]> {
  const names = version.columns.map(({ name }) => name).sort();
  const { columns, rows } = await readTable(version.parquetPath, version.columns);
  return rows.map((row) => {
    const cells = names.map((name) => textOf(row[columns.findIndex((each) => each.name === name)] ?? null));
    return { key: cells[names.indexOf("k")] ?? "", cells };
  });
}

const textOf = (cell: Cell): string => `${typeof cell}:${cell === 0 ? 0 : cell}`;

test("rows added, removed and changed equal those of a row-by-row comparison", async () => {
  await fc.assert(
    fc.asyncProperty(sketches, async (sketch) => {
      const before = await sealRows(sketch, sketch.before, false);
      const after = await sealRows(sketch, sketch.after, true);
      const found = await compareRows(fixture.engine, before, after, 20);
      const [old, new_] = [await rowsOf(before), await rowsOf(after)];
      if (!found) throw new Error("nothing was compared");
      const expected = sketch.keyed ? byKey(old, new_) : byCount(old, new_);
      expect({
        added: found.added,
        removed: found.removed,
        changed: found.changed,
        unchanged: found.unchanged,
      }).toEqual(expected);
      expect(found.examples.changed).toHaveLength(found.changed ?? 0);
      if (sketch.keyed)
        expect([found.examples.added.length, found.examples.removed.length]).toEqual([found.added, found.removed]);
      for (const text of [...found.examples.added, ...found.examples.removed])
        expect(Object.keys(JSON.parse(text)).sort()).toEqual([...found.columns].sort());
      const perColumn = found.changedColumns.map(({ name, rows }) => [name, rows] as const);
      expect(perColumn).toEqual(
        perColumn.map(([name]) => [
          name,
          found.examples.changed.filter(({ columns }) => columns.includes(name)).length,
        ]),
      );
    }),
    propertyParameters(25),
  );
});

type Rows = Awaited<ReturnType<typeof rowsOf>>;

function byKey(before: Rows, after: Rows) {
  const old = new Map(before.map(({ key, cells }) => [key, cells.join("\0")]));
  const both = after.filter(({ key }) => old.has(key));
  const changed = both.filter(({ key, cells }) => old.get(key) !== cells.join("\0")).length;
  return {
    added: after.length - both.length,
    removed: before.length - both.length,
    changed,
    unchanged: both.length - changed,
  };
}

function byCount(before: Rows, after: Rows) {
  const left = before.map(({ cells }) => cells.join("\0"));
  let unchanged = 0;
  for (const { cells } of after) {
    const at = left.indexOf(cells.join("\0"));
    if (at < 0) continue;
    left.splice(at, 1);
    unchanged += 1;
  }
  return { added: after.length - unchanged, removed: left.length, changed: null, unchanged };
}

test(
  "a key that one version did not declare is used once it is proven there, else entire rows are counted; retyped " +
    "columns are left out",
  async () => {
    const columns = [
      column("id", "int64", "BIGINT"),
      column("x", "string", "VARCHAR"),
      column("t", "int32", "INTEGER"),
    ];
    const retyped = [...columns.slice(0, 2), column("t", "string", "VARCHAR")];
    const one = await seal(
      fixture,
      "one",
      "SELECT * FROM (VALUES (1::BIGINT, 'a', 1::INTEGER), (2, 'b', 2)) v(id, x, t)",
      columns,
    );
    const two = await seal(
      fixture,
      "two",
      "SELECT * FROM (VALUES (1::BIGINT, 'a', '1'), (2, 'c', '2'), (3, 'd', '3')) v(id, x, t)",
      retyped,
    );
    const twice = await seal(
      fixture,
      "twice",
      "SELECT * FROM (VALUES (1::BIGINT, 'a', '1'), (1, 'a', '9')) v(id, x, t)",
      retyped,
    );
    const keyed = await compareRows(fixture.engine, { ...one, primaryKey: ["id"] }, { ...two, primaryKey: [] }, 5);
    expect(keyed).toMatchObject({
      key: ["id"],
      columns: ["id", "x"],
      added: 1,
      removed: 0,
      changed: 1,
      unchanged: 1,
      changedColumns: [{ name: "x", rows: 1 }],
    });
    expect(keyed?.examples).toEqual({
      added: ['{"id":3,"x":"d"}'],
      removed: [],
      changed: [{ before: '{"id":2,"x":"b"}', after: '{"id":2,"x":"c"}', columns: ["x"] }],
    });
    const counted = await compareRows(fixture.engine, { ...one, primaryKey: ["id"] }, { ...twice, primaryKey: [] }, 5);
    expect(counted).toMatchObject({ key: [], added: 1, removed: 1, changed: null, unchanged: 1 });
  },
);

test("versions without a column in common, and versions without rows, can be compared", async () => {
  const some = await seal(fixture, "some", "SELECT 1::INTEGER AS a", [column("a", "int32", "INTEGER")]);
  const other = await seal(fixture, "other", "SELECT 'x' AS a", [column("a", "string", "VARCHAR")]);
  const none = await seal(fixture, "none", "SELECT 1::INTEGER AS a WHERE false", [column("a", "int32", "INTEGER")]);
  const plain = { primaryKey: [] };
  expect(await compareRows(fixture.engine, { ...some, ...plain }, { ...other, ...plain }, 5)).toBeUndefined();
  expect(await compareRows(fixture.engine, { ...none, ...plain }, { ...some, ...plain }, 5)).toMatchObject({
    added: 1,
    removed: 0,
    unchanged: 0,
  });
});
