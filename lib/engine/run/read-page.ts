import type { Engine, Session } from "@/lib/engine/duckdb/engine";
import { readingParquet } from "@/lib/engine/duckdb/source";
import type { Note } from "@/lib/engine/plan/noted";
import { isFiltered } from "@/lib/engine/plan/plan";
import type { Plan } from "@/lib/engine/plan/planned";
import { plannedColumns } from "@/lib/engine/plan/result-columns";
import { countGroupsSql, countSql } from "@/lib/engine/sql/group-sql";
import { lookedUpBytes, mayContainNull, rowBytes, scannedBytes } from "@/lib/engine/sql/scanned-bytes";
import type { PlannedQuery } from "./plan-query";
import { readNotes } from "./read-notes";
import { readPlanned } from "./read-planned";
import { type Rows, readRows } from "./read-rows";
import { reserveMemory } from "./reserve-memory";
import type { SealedVersion } from "./sealed-version";
import { settlePlan } from "./settle-plan";

export interface PageRead {
  rows: Rows;
  /** Stored bytes of the columns and row groups that the query touches. */
  scannedBytes: number;
  /** The number of all rows or groups before limit and offset, if they were counted. */
  total: number | undefined;
  /** What in the result could mislead, if that was requested. */
  notes?: readonly Note[];
}

/**
 * Reads a page's rows from the version's read copy or its Parquet file. `roomFor` returns their maximum size in bytes.
 */
export async function readPage(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  query: PlannedQuery,
  roomFor: (scannedBytes: number, notes?: readonly Note[]) => number,
): Promise<PageRead> {
  const footer = await readingParquet(() => engine.footer(session, version));
  const plan = await settlePlan(engine, session, version, query.plan, footer);
  const found = await lookupBytes(engine, session, version, plan);
  const scanned = scannedBytes(footer, plan, query.after) + found;
  const notes = query.notes && (await readNotes(engine, session, version, plan, query.notes.candidates, footer));
  const range = {
    ...query,
    bytesMax: roomFor(scanned, notes),
    rowBytes: plan.kind === "rows" ? rowBytes(footer, plan.columns) : 0,
    mayContainNull: (column: number) => mayContainNull(footer, column),
  };
  const release = await reserveMemory(engine, session, version, plan);
  try {
    const columns = plannedColumns(plan, version.columns);
    const rows = await readPlanned(engine, version, plan, (source) => readRows(session, source, columns, plan, range));
    const total = query.total ? await countResult(engine, session, version, plan) : undefined;
    return { rows, scannedBytes: scanned, total, ...(notes && { notes }) };
  } finally {
    release();
  }
}

/** Stored bytes of what a plan looks up in other versions. */
async function lookupBytes(engine: Engine, session: Session, { lookups = [] }: SealedVersion, plan: Plan) {
  let bytes = 0;
  for (const [at, lookup] of (plan.lookups ?? []).entries()) {
    const other = lookups[at];
    if (other) bytes += lookedUpBytes(await readingParquet(() => engine.footer(session, other)), lookup);
  }
  return bytes;
}

/** The number of all rows or groups of a plan. Without filters, the version's number of rows. */
export async function countResult(
  engine: Engine,
  session: Session,
  version: SealedVersion,
  plan: Plan,
): Promise<number> {
  if (plan.kind !== "groups" && !isFiltered(plan)) return version.rows;
  const [row] = await readPlanned(engine, version, plan, (source) =>
    session.all(
      plan.kind === "groups"
        ? countGroupsSql(plan, plannedColumns(plan, version.columns), source)
        : countSql(plan, source),
    ),
  );
  return Number(row?.[0]);
}
