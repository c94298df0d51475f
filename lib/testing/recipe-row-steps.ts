import { evaluateExpression, holdsAll } from "./recipe-expressions";
import {
  cellAt,
  grouped,
  keyText,
  ordered,
  place,
  type RecipeColumn,
  RecipeEnd,
  type RecipeStep,
  type RecipeTable,
  setOf,
  textColumn,
} from "./recipe-table";
import { common, compareValues, printed, type Typed, typed, type Value } from "./recipe-values";

type Row = readonly Value[];
/** `others` are the sources and earlier tables, by name. */
type Apply = (step: RecipeStep, table: RecipeTable, others: Readonly<Record<string, RecipeTable>>) => RecipeTable;

const int = (name: string): RecipeColumn => ({ name, family: "int", scale: 0 });

const select: Apply = (step, table) => {
  const places: number[] = step.columns.map((name: string) => place(table, name));
  return {
    ...table,
    columns: places.map((at) => table.columns[at] as RecipeColumn),
    rows: table.rows.map((row) => places.map((at) => row[at] ?? null)),
  };
};

const drop: Apply = (step, table, others) => {
  const gone = setOf(table, step.columns);
  const columns = table.columns.map(({ name }) => name).filter((name) => !gone.includes(name));
  return select({ step: "select", columns }, table, others);
};

const rename: Apply = (step, table) => ({
  ...table,
  columns: table.columns.map((column) => ({ ...column, name: step.columns[column.name] ?? column.name })),
});

const filter: Apply = (step, table) => {
  const rows = table.rows.filter((row) => {
    const isMatch =
      holdsAll(step.filters ?? [], table, row) === true &&
      (step.where === undefined || evaluateExpression(step.where, table, row).value === true);
    return isMatch === (step.keep !== "other");
  });
  return { ...table, rows };
};

const unnest: Apply = (step, table) => {
  const at = place(table, step.column);
  const isJson = table.columns[at]?.family === "json";
  const rows = table.rows.flatMap((row) => {
    const cell = row[at] ?? null;
    const items = cell === null ? [] : isJson ? jsonItems(String(cell)) : (cell as Value[]);
    if (items.length === 0) return step.empty === "drop" ? [] : [[...row.toSpliced(at, 1, null), null]];
    return items.map((item, nth) => [...row.toSpliced(at, 1, item), BigInt(nth + 1)]);
  });
  const item: RecipeColumn = { name: step.column, family: isJson ? "json" : "int", scale: 0 };
  return { ...table, columns: [...table.columns.toSpliced(at, 1, item), int(step.position)], rows };
};

function jsonItems(text: string): string[] {
  const value = JSON.parse(text);
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [];
}

const unpivot: Apply = (step, table) => {
  const names = setOf(table, step.columns);
  const kept = table.columns.flatMap(({ name }, at) => (names.includes(name) ? [] : [at]));
  const columns = kept.map((at) => table.columns[at] as RecipeColumn);
  const rows = table.rows.flatMap((row) =>
    names.flatMap((name) => {
      const value = printed(cellAt(table, row, place(table, name)));
      return value === null && step.drop_nulls ? [] : [[...kept.map((at) => row[at] ?? null), name, value]];
    }),
  );
  return { ...table, columns: [...columns, textColumn(step.names_to), textColumn(step.values_to)], rows };
};

const AGGREGATES: Readonly<Record<string, (cells: readonly Typed[], of: RecipeColumn) => Typed>> = {
  count_distinct: (cells) => typed("int", BigInt(new Set(present(cells).map((value) => keyText([value]))).size)),
  first: (cells, { family, scale }) => cells[0] ?? typed(family, null, scale),
  last: (cells, { family, scale }) => cells.at(-1) ?? typed(family, null, scale),
  list: (cells) =>
    typed(
      "list",
      cells.map(({ value }) => value),
    ),
  sum: (cells, { family, scale }) => typed(family, cells.some(isThere) ? total(cells) : null, scale),
  avg: (cells, { scale }) =>
    typed("float", cells.some(isThere) ? Number(total(cells)) / 10 ** scale / present(cells).length : null),
  min: (cells, { family, scale }) => typed(family, present(cells).sort(compareValues)[0] ?? null, scale),
  max: (cells, { family, scale }) => typed(family, present(cells).sort(compareValues).at(-1) ?? null, scale),
};

const isThere = ({ value }: Typed): boolean => value !== null;
const present = (cells: readonly Typed[]) => cells.filter(isThere).map(({ value }) => value as Exclude<Value, null>);
const total = (cells: readonly Typed[]) => present(cells).reduce<bigint>((sum, value) => sum + (value as bigint), 0n);

/** An aggregate of cells in their order; `count` without a column counts rows. */
export function aggregated(name: string, cells: readonly Typed[], of: RecipeColumn | undefined): Typed {
  if (name === "count" || !of) return typed("int", BigInt(of ? present(cells).length : cells.length));
  const work = AGGREGATES[name];
  if (!work) throw new Error(`The evaluator lacks ${name}`);
  return work(cells, of);
}

const aggregate: Apply = (step, table) => {
  const keys = step.group_by.map((name: string) => place(table, name));
  const entries: { function: string; column?: string; as: string }[] = step.aggregates;
  const make = (rows: readonly Row[]) =>
    entries.map(({ function: name, column }) => {
      const at = column === undefined ? undefined : place(table, column);
      const cells = rows.map((row) => (at === undefined ? typed("int", 1n) : cellAt(table, row, at)));
      return aggregated(name, cells, at === undefined ? undefined : table.columns[at]);
    });
  const shapes = make([]).map(({ family, scale }, nth) => ({ name: entries[nth]?.as ?? "", family, scale }));
  const groups = grouped(table, step.group_by);
  const rows = (keys.length === 0 ? [table.rows] : groups).map((group) => [
    ...keys.map((at: number) => group[0]?.[at] ?? null),
    ...make(group).map(({ value }) => value),
  ]);
  return { ...table, columns: [...keys.map((at: number) => table.columns[at]), ...shapes], rows };
};

const pivot: Apply = (step, table) => {
  const [name, value] = [place(table, step.names_from), place(table, step.values_from)];
  const of = table.columns[value] as RecipeColumn;
  const nameOf = (row: Row) => printed(cellAt(table, row, name));
  const groups = grouped(table, step.keys);
  const cellsOf = (rows: readonly Row[], wanted: string) =>
    rows.filter((row) => nameOf(row) === wanted).map((row) => cellAt(table, row, value));
  if (
    step.function === "only" &&
    groups.some((rows) => step.names.some((each: string) => cellsOf(rows, each).length > 1))
  )
    throw new RecipeEnd("key_violation");
  if (step.other === "error" && table.rows.some((row) => !step.names.includes(nameOf(row))))
    throw new RecipeEnd("schema_violation");
  const work = step.function === "only" ? "first" : step.function;
  const shape = aggregated(work, [], of);
  const keys: number[] = step.keys.map((key: string) => place(table, key));
  return {
    ...table,
    columns: [
      ...keys.map((at) => table.columns[at] as RecipeColumn),
      ...step.names.map((each: string) => ({ name: each, family: shape.family, scale: shape.scale })),
    ],
    rows: groups.map((rows) => [
      ...keys.map((at) => rows[0]?.[at] ?? null),
      ...step.names.map((each: string) => aggregated(work, cellsOf(rows, each), of).value),
    ]),
  };
};

const join: Apply = (step, table, others) => {
  const right = others[step.with] as RecipeTable;
  const on = step.on.map((pair: { left: string; right: string }) => [
    place(table, pair.left),
    place(right, pair.right),
  ]);
  const isEqual = (mine: Row, theirs: Row) =>
    on.every(([a, b]: [number, number]) => {
      const [x, y] = common([cellAt(table, mine, a), cellAt(right, theirs, b)]) as [Typed, Typed];
      return x.value !== null && y.value !== null && compareValues(x.value, y.value) === 0;
    });
  const found = table.rows.map((row) => ({ row, partners: right.rows.filter((other) => isEqual(row, other)) }));
  if (step.kind === "semi" || step.kind === "anti")
    return {
      ...table,
      rows: found.filter(({ partners }) => partners.length > 0 === (step.kind === "semi")).map(({ row }) => row),
    };
  if (step.multiple === "error" && found.some(({ partners }) => partners.length > 1))
    throw new RecipeEnd("join_multiple");
  const taken = Object.entries(step.take as Record<string, string>);
  const rows = found.flatMap(({ row, partners }) => {
    const chosen = step.multiple === "first" ? partners.slice(0, 1) : partners;
    if (chosen.length === 0) return step.kind === "left" ? [[...row, ...taken.map(() => null)]] : [];
    return chosen.map((other) => [...row, ...taken.map(([old]) => other[place(right, old)] ?? null)]);
  });
  const added = taken.map(([old, name]) => ({ ...(right.columns[place(right, old)] as RecipeColumn), name }));
  return { ...table, columns: [...table.columns, ...added], rows };
};

const union: Apply = (step, table, others) => {
  const relations: RecipeTable[] = [table, ...step.with.map((name: string) => others[name] as RecipeTable)];
  const names = [...new Set(relations.flatMap(({ columns }) => columns.map(({ name }) => name)))];
  const columns = names.map(
    (name) => relations.flatMap((each) => each.columns).find((column) => column.name === name) as RecipeColumn,
  );
  const rows = relations.flatMap((each, nth) => {
    const places = names.map((name) => each.columns.findIndex((column) => column.name === name));
    const source = nth === 0 ? "input" : step.with[nth - 1];
    return each.rows.map((row) => [...places.map((at) => row[at] ?? null), ...(step.source ? [source] : [])]);
  });
  return { ...table, columns: [...columns, ...(step.source ? [textColumn(step.source)] : [])], rows };
};

const dedupe: Apply = (step, table) => {
  const keys: string[] = step.keys ?? table.columns.map(({ name }) => name);
  const chosen = grouped(table, keys).map((rows) => {
    if (step.keep === "error" && new Set(rows.map(keyText)).size > 1) throw new RecipeEnd("key_violation");
    return ordered(table, rows, step.order ?? []).at(step.keep === "last" ? -1 : 0);
  });
  const kept = new Set(chosen);
  return { ...table, rows: table.rows.filter((row) => kept.has(row)) };
};

const number: Apply = (step, table) => {
  const counts = new Map<string, bigint>();
  const within = (step.within ?? []).map((name: string) => place(table, name));
  const rows = table.rows.map((row) => {
    const key = keyText(within.map((at: number) => row[at] ?? null));
    const nth = counts.get(key) ?? BigInt(step.start);
    counts.set(key, nth + 1n);
    return [...row, nth];
  });
  return { ...table, columns: [...table.columns, int(step.as)], rows };
};

/** Steps that transform rows. */
export const ROW_STEPS: Readonly<Record<string, Apply>> = {
  select,
  drop,
  rename,
  filter,
  unnest,
  unpivot,
  aggregate,
  pivot,
  join,
  union,
  dedupe,
  number,
  sort: (step, table) => ({ ...table, rows: ordered(table, table.rows, step.by) }),
  limit: (step, table) => ({ ...table, rows: table.rows.slice(step.offset, step.offset + step.rows) }),
};
