import type { QueryBody } from "@/lib/engine/grammar/grammar";
import type { NoteCandidate } from "@/lib/engine/plan/noted";
import { noteCandidates } from "@/lib/engine/plan/notes";
import { isGrouped, makePlan } from "@/lib/engine/plan/plan";
import type { Plan } from "@/lib/engine/plan/planned";
import { plannedColumns } from "@/lib/engine/plan/result-columns";
import type { Encoding } from "@/lib/engine/sql/encode";
import { type Fault, fail } from "@/lib/kernel/errors";
import { type Cursor, type CursorSecret, digestQuery, parseCursor } from "./cursor";
import type { SealedVersion } from "./sealed-version";

/** A query that can be executed. */
export interface PlannedQuery extends Encoding {
  plan: Plan;
  /** The digest of what cursors are bound to. */
  digest: Buffer;
  /** The position of the last row on the previous page; undefined on the first page. */
  after: bigint | undefined;
  limit: number;
  offset: number;
  /** Whether all rows or groups are counted too. */
  total: boolean;
  /** The notes that it may get, if they were requested, and what they depend on besides the plan. */
  notes?: NotesPlan;
  /** Bytes of each row that are not sent. */
  unsentBytes?: number | undefined;
}

interface NotesPlan {
  candidates: readonly NoteCandidate[];
  key: string;
}

/** Plans a body over one version, continuing at its cursor. Throws one failure with every fault. */
export function planQuery(version: SealedVersion, body: QueryBody, secret: CursorSecret): PlannedQuery {
  const cursor = body.cursor === undefined ? undefined : parseCursor(body.cursor, secret);
  const plan = makePlan(body, version.columns, cursorFaults(body, cursor), version.lookups);
  const digest = digestQuery([version.tableId, plan]);
  if (cursor) checkMatch(cursor, digest, version, body);
  return {
    plan: inStoredOrder(plan, version),
    digest,
    after: cursor?.position,
    limit: body.limit,
    offset: body.offset ?? 0,
    int64AsText: body.int64 === "string",
    total: body.total === true,
    ...(body.notes && { notes: notesOf(body, plan, version) }),
  };
}

/** Equal plans may be of different bodies, which notes point into. */
const notesOf = (body: QueryBody, plan: Plan, { columns }: SealedVersion): NotesPlan => ({
  candidates: noteCandidates(body, plan, plannedColumns(plan.lookups ? { lookups: plan.lookups } : {}, columns)),
  key: digestQuery([body.filters, body.aggregates, body.group_by]).toString("base64"),
});

/** Removes the order of a plan that matches the stored order: no sort is needed, as both break ties by position. */
function inStoredOrder(plan: Plan, { columns, orderBy = [] }: SealedVersion): Plan {
  if (plan.kind !== "rows" || plan.order.length > orderBy.length) return plan;
  const isStored = plan.order.every(
    ({ column, descending }, index) => !descending && columns[column]?.name === orderBy[index],
  );
  return isStored ? { ...plan, order: [] } : plan;
}

/** The ids of the versions that a query looks columns up in. */
export const lookupIds = ({ lookups = [] }: SealedVersion): string[] =>
  lookups.map(({ versionId }) => versionId.toLowerCase());

function cursorFaults(body: QueryBody, cursor: Cursor | undefined): Fault[] {
  if (body.cursor === undefined || cursor || isGrouped(body)) return [];
  return [{ pointer: "/cursor", code: "invalid_cursor", message: "The cursor is malformed." }];
}

function checkMatch(cursor: Cursor, digest: Buffer, version: SealedVersion, body: QueryBody): void {
  const isSameVersion =
    cursor.versionId === version.versionId.toLowerCase() &&
    cursor.lookups.join() === lookupIds(version).join() &&
    (body.version_id === undefined || body.version_id.toLowerCase() === cursor.versionId);
  if (isSameVersion && cursor.query.equals(digest)) return;
  throw fail("cursor_mismatch", {
    faults: [
      {
        pointer: "/cursor",
        code: "cursor_mismatch",
        message: "The cursor was issued for another query, table or version.",
      },
    ],
  });
}
