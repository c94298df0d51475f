import { PATTERNS, type Pick, WORDS } from "./arbitrary-expressions";
import type { RecipeCheck } from "./recipe-checks";
import type { RecipeTable } from "./recipe-table";
import type { Family } from "./recipe-values";

type Draw = (pick: Pick, of: (...families: Family[]) => string[]) => Omit<RecipeCheck, "check"> | undefined;

const PLAIN: readonly Family[] = ["text", "int", "dec", "bool", "date", "ts"];
const SHARES = ["0%", "10%", "57%", "100%"];
const AGES = ["P1D", "P2W", "P8M", "P3Y", "P60Y"];

const some = (pick: Pick, from: readonly string[]): string[] => [...new Set([pick(...from), pick(...from)])];

/** A check of one column of these families; undefined if there is none. */
const ofOne =
  (families: readonly Family[], make: (pick: Pick, column: string) => Omit<RecipeCheck, "check">): Draw =>
  (pick, of) =>
    of(...families).length === 0 ? undefined : make(pick, pick(...of(...families)));

const DRAWS: Readonly<Record<string, Draw>> = {
  not_null: (pick, of) => (of(...PLAIN).length === 0 ? undefined : { columns: some(pick, of(...PLAIN)) }),
  unique: (pick, of) => (of(...PLAIN).length === 0 ? undefined : { columns: some(pick, of(...PLAIN)) }),
  accepted_values: (pick, of) => {
    const family = pick<Family>("text", "text", "int");
    if (of(family).length === 0) return undefined;
    const column = pick(...of(family));
    if (family === "text" && pick(true, false)) return { column, in: { table: "other", column: "id" } };
    const values: unknown[] =
      family === "text" ? [...WORDS.slice(0, 3), "A", "B", pick(...WORDS)] : [0, 1, 2, pick(3, -4)];
    return { column, values: [...new Set(values)] };
  },
  range: ofOne(["int", "dec"], (pick, column) => {
    const bounds = pick<object>({ min: 0 }, { max: 2 }, { min: -4, max: 2.5 });
    return { column, ...bounds, exclusive: pick(true, false) };
  }),
  pattern: ofOne(["text"], (pick, column) => ({ column, pattern: pick(...PATTERNS) })),
  row_count: (pick) => pick<object>({ min: 2 }, { max: 5 }, { min: 1, max: 4 }),
  row_count_change: (pick) => pick<object>({ fall: "57%" }, { rise: "50%" }, { fall: "10%", rise: "100.5%" }),
  references: (pick, of) => {
    if (of("text").length === 0) return undefined;
    const columns = pick(true, false) ? ["id"] : ["label"];
    return { columns: [pick(...of("text"))], to: { source: "other", columns } };
  },
  freshness_of_column: ofOne(["date", "ts"], (pick, column) => ({ column, max_age: pick(...AGES) })),
  compare: (pick, of) => {
    const family = pick<Family>("int", "dec", "text", "date");
    if (of(family).length === 0) return undefined;
    const others = family === "int" || family === "dec" ? of("int", "dec") : of(family);
    return { left: pick(...of(family)), operator: pick("eq", "neq", "lt", "gte"), right: pick(...others) };
  },
  null_share: ofOne(PLAIN, (pick, column) => ({ column, max: pick(...SHARES) })),
  complete_series: (pick, of) => {
    const family = pick<Family>("int", "date", "date");
    if (of(family).length === 0) return undefined;
    const column = pick(...of(family));
    const keys = of("text", "bool");
    const within = keys.length > 0 && pick(true, false) ? { within: [pick(...keys)] } : {};
    return { column, every: family === "int" ? pick(1, 2) : pick("P1D", "P1M", "P1Y"), ...within };
  },
  keeps_rows: () => ({}),
  new_values: ofOne(PLAIN, (_pick, column) => ({ column })),
};

export const CHECK_NAMES = Object.keys(DRAWS);

const IN_ALL = ["row_count_change", "keeps_rows", "new_values"];

/** Checks of a finished table. Most of them warn, so that the build continues. */
export function arbitraryChecks(pick: Pick, { columns }: RecipeTable): RecipeCheck[] {
  const of = (...families: Family[]) =>
    columns.filter(({ family, scale }) => families.includes(family) && scale <= 4).map(({ name }) => name);
  return Array.from({ length: 5 }, () => pick(...CHECK_NAMES)).flatMap((check): RecipeCheck[] => {
    const drawn = DRAWS[check]?.(pick, of);
    if (!drawn) return [];
    const severity = pick("warn", "warn", "warn", "warn", "warn", "warn", "warn", "error");
    const numbers = IN_ALL.includes(check) ? [] : of("int", "dec");
    const filters = [{ column: pick("", ...numbers), operator: pick("gt", "lte"), value: pick(0, 2) }];
    const where = filters[0]?.column !== "" && pick(true, false) ? { where: filters } : {};
    const limit = check !== "null_share" && pick(true, false) ? { max_failures: pick<unknown>(1, "10%", "57%") } : {};
    return [{ check, severity, ...drawn, ...where, ...limit }];
  });
}
