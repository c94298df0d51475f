import type { RecipeCheck, RecipeTable } from "@/lib/schemas/recipe";
import { canonicalJson } from "./document/canonical";

/** An earlier check that now proves less, or a tolerance that was raised. */
export interface WeakenedCheck {
  table: string;
  /** The check's kind, or `tolerance`. */
  check: string;
  how: "removed" | "loosened";
}

/**
 * A table's earlier checks that were removed or may pass more rows. A change that certainly passes fewer is ignored.
 */
export function weakenedChecks(before: RecipeTable, after: RecipeTable | undefined): WeakenedCheck[] {
  const left = after ? checksOf(after) : [];
  const same = new Set(left.map(meaning));
  const found = checksOf(before).flatMap((check): WeakenedCheck[] => {
    if (same.has(meaning(check))) return [];
    const relatives = left.filter((each) => subject(each) === subject(check));
    if (relatives.some((each) => isTighter(check, each))) return [];
    return [{ table: before.name, check: check.check, how: relatives.length > 0 ? "loosened" : "removed" }];
  });
  const isTolerant = after !== undefined && isMoreTolerant(toleranceOf(before), toleranceOf(after));
  return isTolerant ? [...found, { table: before.name, check: "tolerance", how: "loosened" }] : found;
}

/** The checks of a table, including those that its columns promise. */
const checksOf = ({ columns = [], checks }: RecipeTable): RecipeCheck[] => [
  ...columns.flatMap(({ name, nullable }): RecipeCheck[] =>
    nullable ? [] : [{ check: "not_null", severity: "error", ...{ columns: [name] } }],
  ),
  ...checks,
];

const meaning = (check: RecipeCheck): string => canonicalJson(plain(check));

/** The subject of a check: its kind and columns. */
const subject = (check: RecipeCheck): string => {
  const { column, columns, left, right, table } = check as unknown as Record<string, unknown>;
  return canonicalJson({ check: check.check, column, columns, left, right, table });
};

type Tolerance = NonNullable<RecipeTable["tolerance"]>;

/** A table without a tolerance tolerates no rejects. A limit that a tolerance does not name does not apply. */
const toleranceOf = ({ tolerance }: RecipeTable): Tolerance => tolerance ?? { cells: 0 };

const isMoreTolerant = (before: Tolerance, after: Tolerance): boolean =>
  (["cells", "rows"] as const).some((name) => {
    const [was, is] = [before[name], after[name]];
    return was !== undefined && (is === undefined || !atLeast(was, is));
  });

const SEVERITIES = ["warn", "error"];

/** Members that may differ, each with a test for whether the new value certainly passes no more. */
const TIGHTER: Readonly<Record<string, (before: unknown, after: unknown) => boolean>> = {
  min: (before, after) => after !== undefined && (before === undefined || atLeast(after, before)),
  max: (before, after) => after !== undefined && (before === undefined || atLeast(before, after)),
  max_failures: (before, after) => atLeast(before ?? 0, after ?? 0),
  severity: (before, after) => SEVERITIES.indexOf(String(after)) >= SEVERITIES.indexOf(String(before)),
};

/** Compares numbers, and strings of the same form such as shares: `2` ≥ `1`, `20%` ≥ `5%`. */
function atLeast(a: unknown, b: unknown): boolean {
  const [x, y] = [numberOf(a), numberOf(b)];
  return x !== undefined && y !== undefined && x.isShare === y.isShare && x.value >= y.value;
}

function numberOf(value: unknown): { value: number; isShare: boolean } | undefined {
  const text = String(value);
  const isShare = text.endsWith("%");
  const number = Number(isShare ? text.slice(0, -1) : text);
  return text === "" || Number.isNaN(number) ? undefined : { value: number, isShare };
}

function isTighter(before: RecipeCheck, after: RecipeCheck): boolean {
  const [a, b] = [plain(before), plain(after)];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const isEqual = (name: string) => canonicalJson(a[name] ?? null) === canonicalJson(b[name] ?? null);
  return [...names].every((name) => isEqual(name) || TIGHTER[name]?.(a[name], b[name]));
}

const plain = (check: RecipeCheck): Record<string, unknown> => ({ ...check, note: undefined, title: undefined });
