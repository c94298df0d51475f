import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { makePlan } from "@/lib/engine/plan/plan";
import { plannedColumns } from "@/lib/engine/plan/result-columns";
import { segmentsAfter } from "@/lib/engine/plan/segments";
import { parseQuery } from "@/lib/engine/run/query";
import { cellPartSql } from "@/lib/engine/sql/cell-part-sql";
import { groupsSql } from "@/lib/engine/sql/group-sql";
import { pageSql, plannedSource, type Statement } from "@/lib/engine/sql/sql";
import { AGGREGATES, type AggregateName } from "@/lib/engine/types/aggregates";
import { columnTypeOfDuckdb } from "@/lib/engine/types/column-types";
import { OPERATORS } from "@/lib/engine/types/operators";
import { Failure, type Fault } from "@/lib/kernel/errors";

/** One golden case: a body with the statement that it compiles to, or the faults that reject it. */
interface Case {
  name: string;
  /** JSON text, so that numbers keep their digits. */
  query: string;
  /** The order keys of the previous row, for the statements of a later page. */
  after?: { keys: (string | null)[]; position: number };
  statements?: Statement[];
  faults?: Fault[];
}

/** One column of each type, named after it. */
const STORAGE = [
  "BOOLEAN",
  "TINYINT",
  "SMALLINT",
  "INTEGER",
  "BIGINT",
  "UTINYINT",
  "USMALLINT",
  "UINTEGER",
  "UBIGINT",
  "FLOAT",
  "DOUBLE",
  "DECIMAL(9,2)",
  "VARCHAR",
  "DATE",
  "TIME",
  "TIMESTAMP WITH TIME ZONE",
  "UUID",
  "BLOB",
  "INTEGER[]",
  'STRUCT("a b" DECIMAL(4,1), t TIMESTAMP WITH TIME ZONE[])',
];
const COLUMNS = [
  ...STORAGE.map((storage) => ({
    name: (columnTypeOfDuckdb(storage)?.name ?? "").replace(/[(<].*/, ""),
    type: columnTypeOfDuckdb(storage)?.name ?? "",
    storage,
  })),
  { name: "json", type: "json", storage: "VARCHAR" },
];

/** The tables of lookups. */
const TABLES = ["1", "2"].map((number) => ({
  tableId: `00000000-0000-4000-8000-00000000000${number}`,
  rows: 1000,
  columns: COLUMNS,
  primaryKey: number === "1" ? ["int32"] : ["string", "date"],
}));

const FOLDER = import.meta.dirname;
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const casesOf = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Case[];

describe.each(files)("%s", (file) => {
  test.each(casesOf(file).map((each) => [each.name, each] as const))("%s", (_, { name, query, after, ...outcome }) => {
    expect(outcomeOf({ name, query, ...(after && { after }) })).toEqual(outcome);
  });
});

test("every operator and every aggregate has a case for every type", () => {
  for (const [prefix, names] of [
    ["operator", Object.keys(OPERATORS)],
    ["aggregate", Object.keys(AGGREGATES).filter((name) => AGGREGATES[name as AggregateName].arity === 1)],
  ] as const) {
    for (const name of names)
      expect(casesOf(`${prefix}-${name}.json`).map((each) => each.name)).toEqual(
        expect.arrayContaining(COLUMNS.map((column) => column.name)),
      );
  }
});

const copyOf = (number: number) => ({ kind: "copy", alias: `copy_${number}` }) as const;

/** What the engine compiles a case's body to. */
function outcomeOf({ query, after }: Case): Pick<Case, "statements" | "faults"> {
  try {
    const tier = { rowsMax: 10_000, bytesMax: 1_000_000 };
    const body = parseQuery(parseJsonBody(query), tier);
    const plan = makePlan(body, COLUMNS, [], TABLES);
    const encoding = { int64AsText: body.int64 === "string" };
    const range = { take: body.limit, skip: body.offset ?? 0, bytesMax: tier.bytesMax };
    const source = plannedSource(plan, COLUMNS, copyOf(1), [copyOf(2), copyOf(3)]);
    const columns = plannedColumns(plan, COLUMNS);
    if (plan.kind === "groups") return { statements: [groupsSql(plan, columns, source, range, encoding)] };
    if (plan.kind === "cell") return { statements: [cellPartSql(plan, source)] };
    const segments = after
      ? segmentsAfter(plan.order, after.keys, BigInt(after.position), () => true)
      : [{ equal: [], order: plan.order }];
    return { statements: segments.map((segment) => pageSql(plan, columns, source, segment, range, encoding)) };
  } catch (error) {
    if (error instanceof Failure) return { faults: [...error.faults] };
    throw error;
  }
}
