import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { type QueryBody, querySchema } from "@/lib/engine/grammar/grammar";
import { shapeFaults, withPlainNumbers } from "@/lib/engine/grammar/grammar-faults";
import { isGrouped, makePlan, type Plan } from "@/lib/engine/plan/plan";
import { faultsOfSoundParts } from "@/lib/engine/plan/sound-parts";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { wholeNumber } from "@/lib/engine/types/exact-number";
import { type Fault, fail, failWith } from "@/lib/errors";
import { type Cursor, digestQuery, parseCursor, peekCursor } from "./cursor";
import { type ReplyContext, readReply } from "./reply";

/** An immutable version, as the catalogue records it. */
export interface SealedVersion {
  tableId: string;
  versionId: string;
  /** 64 hex digits. */
  digest: string;
  /** ISO 8601 with milliseconds. */
  publishedAt: string;
  rows: number;
  columns: readonly EngineColumn[];
  /** What the rows were sorted by when they were sealed: ascending, nulls last. */
  orderBy?: readonly string[];
  parquetPath: string;
  copyPath: string;
}

/** What a caller may ask for at once. */
export interface Tier {
  rowsMax: number;
  bytesMax: number;
}

export interface QueryContext extends Caller {
  /** Signs cursors. */
  secret: Uint8Array;
  queryId: string;
  /** performance.now() when the request was parsed. */
  startedAt?: number;
}

export interface QueryPage {
  /** The whole JSON reply. */
  body: Uint8Array;
  columns: EngineColumn[];
  /** The rows' JSON inside `body`: joined, the inside of its array. */
  rowParts: readonly Uint8Array[];
  returnedRows: number;
  scannedBytes: number;
  elapsedMs: number;
  truncated: boolean;
  nextCursor: string | null;
  grouped: boolean;
}

/**
 * Checks a parsed body's shape and limits. Throws one failure with every fault, those against `columns` of the parts
 * that are sound among them.
 */
export function parseQuery(value: unknown, tier: Tier, columns: readonly EngineColumn[] = []): QueryBody {
  const parsed = querySchema.safeParse(withPlainNumbers(value));
  const issues = parsed.error?.issues ?? [];
  const faults = shapeFaults(value, issues, tier);
  if (faults.length > 0)
    throw failWith(columns.length === 0 ? faults : [...faults, ...faultsOfSoundParts(value, issues, columns)]);
  if (!parsed.success) throw parsed.error;
  const { limit, offset, ...rest } = parsed.data;
  return {
    ...rest,
    limit: (limit && wholeNumber(limit.value)) ?? Math.min(LIMIT_DEFAULT, tier.rowsMax),
    offset: offset && wholeNumber(offset.value),
  };
}

/**
 * The version that a body asks for, by its cursor or its version_id. Undefined for the current one, and for a bad
 * cursor.
 * Where the table has no such version any more, run the query on the current one: it answers cursor_mismatch.
 */
export function pinnedVersion(body: QueryBody, secret: Uint8Array): string | undefined {
  const pinned = body.cursor === undefined ? undefined : peekCursor(body.cursor, secret);
  return pinned?.versionId ?? body.version_id?.toLowerCase();
}

/** Answers a query over one version. Throws a failure with all faults before any scan. */
export async function runQuery(
  engine: Engine,
  version: SealedVersion,
  body: QueryBody,
  tier: Tier,
  ctx: QueryContext,
): Promise<QueryPage> {
  const startedAt = ctx.startedAt ?? performance.now();
  const cursor = body.cursor === undefined ? undefined : parseCursor(body.cursor, ctx.secret);
  const plan = makePlan(body, version.columns, cursorFaults(body, cursor));
  const digest = digestQuery([version.tableId, plan]);
  if (cursor) checkMatch(cursor, digest, version, body);
  const reply: ReplyContext = {
    ...ctx,
    startedAt,
    digest,
    limit: body.limit,
    offset: body.offset ?? 0,
    after: cursor?.position,
    bytesMax: tier.bytesMax,
    int64AsText: body.int64 === "string",
  };
  return await readReply(engine, version, inStoredOrder(plan, version), reply);
}

/** A plan whose order the stored rows have already needs no sort: ties are broken by position in both. */
function inStoredOrder(plan: Plan, { columns, orderBy = [] }: SealedVersion): Plan {
  if (plan.kind !== "rows" || plan.order.length > orderBy.length) return plan;
  const isStored = plan.order.every(
    ({ column, descending }, place) => !descending && columns[column]?.name === orderBy[place],
  );
  return isStored ? { ...plan, order: [] } : plan;
}

function cursorFaults(body: QueryBody, cursor: Cursor | undefined): Fault[] {
  if (body.cursor === undefined || cursor || isGrouped(body)) return [];
  return [{ pointer: "/cursor", code: "invalid_cursor", message: "The cursor is malformed." }];
}

function checkMatch(cursor: Cursor, digest: Buffer, version: SealedVersion, body: QueryBody): void {
  const isSameVersion =
    cursor.versionId === version.versionId.toLowerCase() &&
    (body.version_id === undefined || body.version_id.toLowerCase() === cursor.versionId);
  if (isSameVersion && cursor.query.equals(digest)) return;
  throw fail("cursor_mismatch", {
    faults: [
      {
        pointer: "/cursor",
        code: "cursor_mismatch",
        message: "The cursor belongs to another query, table or version.",
      },
    ],
  });
}
