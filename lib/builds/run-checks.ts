import { quoteLiteral } from "@/lib/engine/sql/identifier";
import type { CheckContext } from "./checks/check";
import type { TableCheck } from "./checks/check-checks";
import { CHECK_KINDS } from "./checks/registry";
import { isWithin } from "./limits";
import type { BuildBench, BuildEvent, CheckResult } from "./plan";
import { conditionsSql } from "./query-parts";
import type { Relation } from "./relation";
import { textSql } from "./steps/cell-rule";

const EXAMPLES_MAX = 20;

export interface ChecksRun {
  bench: BuildBench;
  table: string;
  /** The stored rows, and how many columns they have. */
  stored: string;
  relation: Relation;
  primaryKey: readonly string[];
  other: CheckContext["other"];
  previous: CheckContext["previous"];
  /** Whether these are not all rows. */
  isPart: boolean;
  now: string;
  emit(event: BuildEvent): void;
}

/** Runs every check on a table's finished rows. */
export async function runChecks(run: ChecksRun, checks: readonly TableCheck[]): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const result = await runCheck(run, check);
    run.emit({ check: result });
    results.push(result);
  }
  return results;
}

async function runCheck(run: ChecksRun, { check, pointer, where, planned }: TableCheck): Promise<CheckResult> {
  const rule = CHECK_KINDS[check.check]?.english(check) ?? check.check;
  const base = { table: run.table, check: check.check, pointer, title: check.title ?? null, severity: check.severity };
  const isLeftOut =
    (planned.needs === "whole" && run.isPart) || (planned.needs === "previous" && (run.isPart || !run.previous));
  if (isLeftOut) {
    const why = run.isPart ? "a sample does not have all rows" : "there is no current release yet";
    return {
      ...base,
      outcome: "not_applicable",
      failures: 0,
      examined: 0,
      examples: [],
      message: `Not checked: ${why}.`,
    };
  }
  const cells = run.relation.columns.map((_, at) => `c${at}`).join(", ");
  const rows = `(SELECT ${cells}, p FROM ${run.stored} WHERE ${conditionsSql(where)})`;
  const { other, previous, now } = run;
  const query = (write: (context: CheckContext) => string) => run.bench.rows(write({ rows, other, previous, now }));
  const [counted] = await query((context) => `SELECT CAST(count(*) AS VARCHAR) FROM (${planned.failing(context)})`);
  const failures = Number(counted?.[0] ?? 0);
  const examples =
    failures === 0
      ? []
      : await query(
          (context) =>
            `SELECT CAST(r AS VARCHAR), * EXCLUDE (r) FROM (${planned.failing(context)}) LIMIT ${EXAMPLES_MAX}`,
        );
  const [looked] = await query(planned.examined ?? (({ rows: all }) => `SELECT CAST(count(*) AS VARCHAR) FROM ${all}`));
  const examined = Number(looked?.[0] ?? 0);
  const isPassed = isWithin(failures, planned.limit ?? check.max_failures ?? 0, examined);
  return {
    ...base,
    outcome: isPassed ? "passed" : "failed",
    failures,
    examined,
    examples: await examplesOf(run, planned.columns, examples),
    message: messageOf(rule, failures, isPassed),
  };
}

function messageOf(english: string, failures: number, isPassed: boolean): string {
  const rule = `${english.charAt(0).toUpperCase()}${english.slice(1)}`;
  if (failures === 0) return `${rule}.`;
  return `${rule}: ${failures} ` + `${failures === 1 ? "failure" : "failures"}${isPassed ? ", within the limit" : ""}.`;
}

/** The current release as SQL. */
export async function previousOf(bench: BuildBench, path: string | undefined): Promise<CheckContext["previous"]> {
  if (path === undefined) return undefined;
  const sql = `read_parquet(${quoteLiteral(path)})`;
  const rows = await bench.rows(`SELECT column_name FROM (DESCRIBE SELECT * FROM ${sql})`);
  return { sql, columns: rows.map(([name]) => name ?? "") };
}

const CELL_CHARACTERS = 200;
/** Number of columns that identify rows of a table without a primary key. */
const FIRST_COLUMNS = 3;
/** Maximum number of columns that a check looked at; if there are more, those with missing values come first. */
const LOOKED_MAX = 16;

type Examples = CheckResult["examples"];
type Cells = Examples[number]["cells"];

/**
 * The failures that a check found, each with a row number or null and its values, preceded by the cells that identify
 * the row: those of the primary key or the first columns.
 */
export async function examplesOf(
  run: Pick<ChecksRun, "bench" | "stored" | "relation" | "primaryKey">,
  names: readonly string[],
  found: readonly (string | null)[][],
): Promise<Examples> {
  const examples = found.map(([row = null, ...values]) => ({ row: row === null ? null : Number(row), values }));
  const keysByRow = await identifyingCells(
    run,
    names,
    examples.flatMap(({ row }) => row ?? []),
  );
  return examples.map(({ row, values }) => {
    const shown = values.map(cut);
    return { row, values: shown, cells: { ...(row === null ? {} : keysByRow.get(row)), ...lookedAt(names, shown) } };
  });
}

function lookedAt(names: readonly string[], values: readonly (string | null)[]): Cells {
  const cells = names.map((name, at): [string, string | null] => [name, values[at] ?? null]);
  if (cells.length <= LOOKED_MAX) return Object.fromEntries(cells);
  const [missing, others] = [cells.filter(([, value]) => value === null), cells.filter(([, value]) => value !== null)];
  return Object.fromEntries([...missing, ...others].slice(0, LOOKED_MAX));
}

const cut = (value: string | null): string | null => value?.slice(0, CELL_CHARACTERS) ?? null;

/** The cells that identify rows, by row number, without those that are shown anyway. */
async function identifyingCells(
  { bench, stored, relation, primaryKey }: Parameters<typeof examplesOf>[0],
  shown: readonly string[],
  rows: readonly number[],
): Promise<Map<number, Cells>> {
  const others = relation.columns.flatMap((column, index) => (shown.includes(column.name) ? [] : [{ column, index }]));
  const keys = others.filter(({ column }) => primaryKey.includes(column.name));
  const identifying = primaryKey.length > 0 ? keys : others.slice(0, FIRST_COLUMNS);
  if (rows.length === 0 || identifying.length === 0) return new Map();
  const cells = identifying.map(({ column, index }) => `CAST(${textSql(`c${index}`, column)} AS VARCHAR)`).join(", ");
  const numbers = rows.map((row) => row - 1).join(", ");
  const found = await bench.rows(`SELECT CAST(p + 1 AS VARCHAR), ${cells} FROM ${stored} WHERE p IN (${numbers})`);
  return new Map(
    found.map(([row, ...values]) => [
      Number(row),
      Object.fromEntries(identifying.map(({ column }, at) => [column.name, cut(values[at] ?? null)])),
    ]),
  );
}
