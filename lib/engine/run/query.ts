import type { Engine } from "@/lib/engine/duckdb/engine";
import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { type QueryBody, querySchema } from "@/lib/engine/grammar/grammar";
import { shapeFaults, withPlainNumbers } from "@/lib/engine/grammar/grammar-faults";
import type { Note } from "@/lib/engine/plan/noted";
import { resultColumns } from "@/lib/engine/plan/result-columns";
import { faultsOfSoundParts } from "@/lib/engine/plan/sound-parts";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { wholeNumber } from "@/lib/engine/types/exact-number";
import { failWith } from "@/lib/kernel/errors";
import { measure } from "@/lib/kernel/telemetry";
import { cachedPage, pageKey } from "./cached-page";
import { type CursorSecret, peekCursor } from "./cursor";
import { lookupIds, type PlannedQuery, planQuery } from "./plan-query";
import { readPage } from "./read-page";
import { frameReply, type QueryContext, type QueryPage } from "./reply";
import type { SealedVersion } from "./sealed-version";

/** The maximum that a caller may request at once. */
export interface Tier {
  rowsMax: number;
  bytesMax: number;
  /** Whether rows are sent as lists of values, so that the names of columns do not count in each. */
  asLists?: boolean;
}

/*
 * The path of a query, from top to bottom: JSON → body (grammar/) → the version it is pinned to → plan (plan/) → SQL
 * (sql/) → rows (duckdb/) → bytes. The first three stages reject a query before any row is read.
 */

/**
 * Checks a parsed body's shape and limits. Throws one failure with every fault, including those of its valid parts
 * against `columns`.
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
 * The version that a body requests by its cursor or version_id. Undefined for the current one and for an invalid
 * cursor. If the table no longer has that version, run the query on the current one, which fails with cursor_mismatch.
 */
export function pinnedVersion(body: QueryBody, secret: CursorSecret): string | undefined {
  const pinned = body.cursor === undefined ? undefined : peekCursor(body.cursor, secret);
  return pinned?.versionId ?? body.version_id?.toLowerCase();
}

/** The versions that columns are looked up in, as a body's cursor requests them; none without a valid cursor. */
export function pinnedLookups(body: QueryBody, secret: CursorSecret): readonly string[] {
  return (body.cursor === undefined ? undefined : peekCursor(body.cursor, secret))?.lookups ?? [];
}

/** Answers a query over one version: plans it, reads its rows and writes the reply around them. */
export async function runQuery(
  engine: Engine,
  version: SealedVersion,
  body: QueryBody,
  tier: Tier,
  ctx: QueryContext,
): Promise<QueryPage> {
  const planned = planQuery(version, body, ctx.secret);
  const query = tier.asLists ? { ...planned, unsentBytes: nameBytes(planned, version) } : planned;
  const frame = frameReply(version, query, ctx);
  const roomFor = (scannedBytes: number, notes?: readonly Note[]) =>
    tier.bytesMax - frame.bytesMax(scannedBytes, notes);
  const key = pageKey([version.versionId, ...lookupIds(version)], query, roomFor(0));
  const { page, isCached } = await cachedPage(
    engine,
    key,
    (session) => readPage(engine, session, version, query, roomFor),
    ctx,
  );
  const answer = { ...frame.around(page, Math.round(ctx.elapsedMs())), isCached };
  measure("caches", 1, { cache: "rows", result: isCached ? "hit" : "miss" });
  measure("queryRows", answer.returnedRows, {});
  if (!isCached) measure("queryScanned", answer.scannedBytes, {});
  return answer;
}

/** What a row as an object has and a list of its values does not: each name with its quotes and colon. */
const nameBytes = ({ plan }: PlannedQuery, { columns }: SealedVersion): number =>
  resultColumns(plan, columns).reduce((sum, { name }) => sum + Buffer.byteLength(JSON.stringify(name)) + 1, 0);
