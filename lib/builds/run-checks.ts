import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { examplesOf } from "./check-examples";
import type { CheckContext } from "./checks/check";
import type { TableCheck } from "./checks/check-checks";
import { CHECK_KINDS } from "./checks/registry";
import { isWithin } from "./limits";
import type { BuildBench, BuildEvent, CheckResult } from "./plan";
import { conditionsSql } from "./query-parts";
import type { Relation } from "./relation";

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
