import { arbitraryCall, FUNCTION_NAMES, PATTERNS, type Pick, WORDS } from "./arbitrary-expressions";
import type { RecipeStep, RecipeTable } from "./recipe-table";
import type { Family } from "./recipe-values";

type Draw = (pick: Pick, names: Names) => Omit<RecipeStep, "step"> | undefined;

/** The columns that a step may name. */
interface Names {
  table: RecipeTable;
  of(...families: Family[]): string[];
  fresh(): string;
}

const ON_ERROR = ["null", "null", "drop_row", "fail"];
/** Families of columns that every step takes. */
export const PLAIN: readonly Family[] = ["text", "int", "dec", "bool", "date", "ts"];

const some = (pick: Pick, from: readonly string[]): string[] => from.filter(() => pick(true, false));
const least = (pick: Pick, from: readonly string[]): string[] => [...new Set([...some(pick, from), pick(...from)])];

const PARSES: readonly ((names: Names) => Omit<RecipeStep, "step">)[] = [
  () => ({ columns: ["amount"], as: "decimal(12,2)", number: { thousands: ["."], decimal: "," } }),
  () => ({ columns: ["amount"], as: "int32", number: { thousands: ["."], decimal: "," }, null_tokens: ["x"] }),
  () => ({ columns: ["date"], as: "date", date: { formats: ["%Y-%m-%d", "%d.%m.%Y"] } }),
  () => ({ columns: ["flag"], as: "boolean", boolean: { true: ["true", "yes"], false: ["false"] } }),
  () => ({ columns: { matches: "^whole$" }, as: "int32" }),
];
const isText = ({ table }: Names, name: string) =>
  table.columns.some((each) => each.name === name && each.family === "text");

const cell: Readonly<Record<string, Draw>> = {
  parse: (pick, names) => {
    const fits = PARSES.map((make) => make(names)).filter(({ columns }) =>
      isText(names, Array.isArray(columns) ? columns[0] : "whole"),
    );
    return fits.length === 0 ? undefined : { ...pick(...fits), on_error: pick(...ON_ERROR) };
  },
  cast: (pick, names) => {
    const ways = [
      ...["whole", "amount"].filter((name) => isText(names, name)).map((name) => ({ [name]: "int32" })),
      ...(isText(names, "doc") ? [{ doc: "json" }, { doc: "json" }] : []),
      ...names.of("dec").map((name) => ({ [name]: pick("int32", "string", "decimal(20,4)") })),
      ...names.of("int").map((name) => ({ [name]: pick("decimal(12,2)", "string") })),
    ];
    return ways.length === 0 ? undefined : { columns: pick(...ways), on_error: pick(...ON_ERROR) };
  },
  trim: (pick, { of }) => ({
    ...(of("text").length > 0 && { columns: least(pick, of("text")) }),
    collapse: pick(true, false),
  }),
  null_if: (pick, { of }) =>
    of("text").length === 0 ? undefined : { columns: least(pick, of("text")), values: ["A", "x", pick(...WORDS)] },
  replace: (pick, { of }) => {
    if (of("text").length === 0) return undefined;
    const kind = pick("text", "cell", "pattern");
    const how =
      kind === "pattern"
        ? { find: pick("([a-z])", "[0-9]+"), with: pick("", "<\\0>", "$&") }
        : { find: pick("A", "a;", "ü"), with: "é" };
    return { columns: least(pick, of("text")), kind, ...how };
  },
  map: (pick, { of }) =>
    of("text").length === 0
      ? undefined
      : {
          column: pick(...of("text")),
          values: { A: "one", B: null, x: "ü" },
          otherwise: pick("keep", "keep", "null", "error"),
        },
  derive: (pick, { table, fresh }) => ({
    columns: Object.fromEntries(
      Array.from({ length: 6 }, () => [fresh(), arbitraryCall(pick, table, pick(...FUNCTION_NAMES))]),
    ),
  }),
  extract: (pick, { of, fresh }) =>
    of("text").length === 0
      ? undefined
      : {
          column: pick(...of("text")),
          pattern: pick(...PATTERNS),
          into: { [fresh()]: 0 },
          keep: pick(true, false),
          required: pick(true, false),
          on_error: pick(...ON_ERROR),
        },
  split: (pick, { of, fresh }) => {
    if (of("text").length === 0) return undefined;
    const base = {
      column: pick("parts", ...of("text")),
      by: pick<object>({ text: ";" }, { pattern: "[;ü]" }, { widths: [1, 2] }),
    };
    if (!of("text").includes(base.column)) return undefined;
    if (pick(true, false)) return { ...base, rows: true, position: fresh() };
    const extra = "text" in base.by ? pick("error", "last", "drop") : pick("error", "drop");
    const more = { missing: pick("null", "error"), extra, keep: pick(true, false), on_error: pick(...ON_ERROR) };
    return { ...base, into: [fresh(), fresh()], ...more };
  },
  flatten: (pick, { of, fresh }) =>
    of("json").length === 0
      ? undefined
      : {
          column: pick(...of("json")),
          fields: { [fresh()]: { at: "/a", type: "int32" }, [fresh()]: { at: "/b", type: "string" } },
          keep: pick(true, false),
          on_error: pick(...ON_ERROR),
        },
  fill: (pick, { of }) => {
    const names = of(...PLAIN);
    const within = pick(...names);
    const columns = least(pick, names).filter((name) => name !== within);
    return columns.length === 0
      ? undefined
      : { columns, direction: pick("down", "up"), ...(pick(true, false) && { within: [within] }) };
  },
};

const FUNCTIONS: Readonly<Record<string, readonly Family[]>> = {
  count: PLAIN,
  count_distinct: PLAIN,
  first: PLAIN,
  last: PLAIN,
  min: ["int", "dec", "date", "text"],
  max: ["int", "dec", "date", "text"],
  sum: ["int", "dec"],
  avg: ["int", "dec"],
  list: ["int"],
};

const rows: Readonly<Record<string, Draw>> = {
  select: (pick, { table }) => ({
    columns: least(
      pick,
      table.columns.map(({ name }) => name),
    ),
  }),
  drop: (pick, { table }) => {
    if (table.columns.length < 6) return undefined;
    const isThere = table.columns.some(({ name }) => name.startsWith("f"));
    const set = { matches: "^f", ...(!isThere && { if_any: true }) };
    return { columns: pick<object>([pick(...table.columns).name], set) };
  },
  rename: (pick, { table, fresh }) => ({ columns: { [pick(...table.columns).name]: fresh() } }),
  filter: (pick, { table, of }) => {
    const where = arbitraryCall(pick, table, pick("eq", "lt", "contains", "matches", "is_null", "or", "in"));
    const filters = of("int", "dec").map((column) => ({
      column,
      operator: pick("gt", "lte", "neq"),
      value: pick(0, 2),
    }));
    const keep = pick("matching", "other");
    return filters.length > 0 && pick(true, false) ? { filters: filters.slice(0, 2), keep } : { where, keep };
  },
  unnest: (pick, { of, fresh }) =>
    of("json", "list").length === 0
      ? undefined
      : { column: pick(...of("json", "list")), position: fresh(), empty: pick("drop", "null") },
  unpivot: (pick, { of, fresh }) => {
    const names = of(...PLAIN).filter((name) => !of("ts").includes(name));
    const columns = names.length < 2 ? [] : least(pick, names).slice(0, 3);
    return columns.length === 0
      ? undefined
      : { columns, names_to: fresh(), values_to: fresh(), drop_nulls: pick(true, false), as_text: true };
  },
  aggregate: (pick, { of, fresh }) => {
    const aggregates = Array.from({ length: pick(1, 2, 3) }, () => {
      const name = pick(...Object.keys(FUNCTIONS), "list");
      const columns = of(...(FUNCTIONS[name] ?? []));
      if (columns.length === 0 || name === "count") return { function: "count", as: fresh() };
      return { function: name, column: pick(...columns), as: fresh() };
    });
    return { group_by: some(pick, of(...PLAIN)).slice(0, 2), aggregates };
  },
  pivot: (pick, { of, fresh }) => {
    const keys = of("text", "int");
    if (keys.length < 2) return undefined;
    const name = pick("count", "first", "last", "min", "sum", "only");
    const values = of(...(FUNCTIONS[name === "only" ? "first" : name] ?? []));
    if (values.length === 0) return undefined;
    const [key, names_from] = [pick(...keys), pick(...keys)];
    const made = { keys: [key], names_from, values_from: pick(...values), names: ["A", "B", "1", fresh()] };
    return ["A", "B", "1"].includes(key)
      ? undefined
      : { ...made, function: name, other: pick("drop", "drop", "drop", "error") };
  },
  join: (pick, { of, fresh }) => {
    if (of("text").length === 0) return undefined;
    const kind = pick("left", "inner", "semi", "anti");
    const base = { with: "other", kind, on: [{ left: pick("key", ...of("text")), right: "id" }] };
    if (!of("text").includes(base.on[0]?.left ?? "")) return undefined;
    if (kind === "semi" || kind === "anti") return base;
    return { ...base, take: { label: fresh() }, multiple: pick("all", "first", "all", "error") };
  },
  union: (_pick, { table, fresh }) => {
    const isFree = table.columns.every(({ name, family }) => !["id", "label"].includes(name) || family === "text");
    return isFree ? { with: ["other"], missing: "null", source: fresh() } : undefined;
  },
  dedupe: (pick, { of }) => {
    const names = of(...PLAIN);
    const order = pick(true, false) ? { order: [{ column: pick(...names), direction: pick("asc", "desc") }] } : {};
    return { keys: least(pick, names), keep: pick("first", "last", "first", "error"), ...order };
  },
  sort: (pick, { of }) => ({
    by: least(pick, of(...PLAIN))
      .slice(0, 3)
      .map((column) => ({ column, direction: pick("asc", "desc") })),
  }),
  limit: (pick) => ({ rows: pick(1, 3, 8), offset: pick(0, 1) }),
  number: (pick, { of, fresh }) => ({
    as: fresh(),
    start: pick(0, 1),
    ...(pick(true, false) && { within: least(pick, of(...PLAIN)).slice(0, 8) }),
  }),
};

/** THE drawing of each step; undefined where no column fits. */
export const STEP_DRAWS: Readonly<Record<string, Draw>> = { ...cell, ...rows };
export const STEP_NAMES = Object.keys(STEP_DRAWS);
