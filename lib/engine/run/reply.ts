import type { Caller } from "@/lib/engine/duckdb/engine";
import type { Note } from "@/lib/engine/plan/noted";
import type { Plan } from "@/lib/engine/plan/planned";
import { type ResultColumn, resultColumns } from "@/lib/engine/plan/result-columns";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { fail } from "@/lib/kernel/errors";
import { type CursorSecret, cursorLength, formatCursor } from "./cursor";
import { lookupIds, type PlannedQuery } from "./plan-query";
import type { CellPart } from "./read-cell";
import type { PageRead } from "./read-page";
import type { SealedVersion } from "./sealed-version";
import { hasZone, TZDB } from "./settle-zones";

export interface QueryContext extends Caller {
  /** The secret that signs cursors. */
  secret: CursorSecret;
  queryId: string;
  /** Milliseconds since the request was parsed. */
  elapsedMs(): number;
}

export interface QueryPage {
  /** The complete JSON reply. */
  body: Uint8Array;
  columns: EngineColumn[];
  /** The rows' JSON within `body`: concatenated, the contents of its array. */
  rowParts: readonly Uint8Array[];
  returnedRows: number;
  scannedBytes: number;
  elapsedMs: number;
  truncated: boolean;
  nextCursor: string | null;
  grouped: boolean;
  /** Whether its rows came from the cache. */
  isCached: boolean;
}

/** What a reply contains around its rows. */
export interface ReplyFrame {
  /** Maximum size in bytes. */
  bytesMax(scannedBytes: number, notes?: readonly Note[]): number;
  /** The complete reply. Throws `result_too_large`. */
  around(read: PageRead, elapsedMs: number): Omit<QueryPage, "isCached">;
}

/** The frame of a query's reply; its head is written before the rows are known. */
export function frameReply(version: SealedVersion, query: PlannedQuery, ctx: QueryContext): ReplyFrame {
  const columns = resultColumns(query.plan, version.columns);
  const head = Buffer.from(replyHead(version, query.plan, ctx, columns));
  return {
    bytesMax: (scannedBytes, notes) => head.byteLength + tailRoom(query, scannedBytes, notes),
    around: ({ rows, scannedBytes, total, notes }, elapsedMs) => {
      if (rows.tooLarge) throw fail("result_too_large");
      const nextCursor = nextCursorOf(version, query, rows, ctx.secret);
      const counts = { returned_rows: rows.taken, scanned_bytes: scannedBytes, elapsed_ms: elapsedMs };
      const tail = Buffer.from(
        replyTail(
          {
            ...counts,
            truncated: rows.hasMore,
            ...extras(query.plan, { total, cell: rows.cell, missing: rows.missing, notes }),
          },
          nextCursor,
        ),
      );
      return {
        body: Buffer.concat([head, ...rows.parts, tail]),
        columns,
        rowParts: rows.parts,
        returnedRows: rows.taken,
        scannedBytes,
        elapsedMs,
        truncated: rows.hasMore,
        nextCursor,
        grouped: query.plan.kind === "groups",
      };
    },
  };
}

function nextCursorOf(
  version: SealedVersion,
  { plan, digest }: PlannedQuery,
  { hasMore, last }: PageRead["rows"],
  secret: CursorSecret,
): string | null {
  const isOpen = plan.kind === "rows" && hasMore && last !== undefined;
  return isOpen ? formatCursor({ ...pinsOf(version), position: last, query: digest }, secret) : null;
}

const pinsOf = (version: SealedVersion) => ({ versionId: version.versionId, lookups: lookupIds(version) });

const identityOf = (version: SealedVersion) => ({
  id: version.tableId,
  version_id: version.versionId,
  content_digest: `sha256:${version.digest}`,
  published_at: version.publishedAt,
});

function replyHead(version: SealedVersion, plan: Plan, ctx: QueryContext, columns: readonly ResultColumn[]): string {
  const { lookups = [] } = version;
  const found = lookups.map((other, at) => ({ as: plan.lookups?.[at]?.as, ...identityOf(other) }));
  const named = columns.map(({ name, type, overlapping, bucketZone }) => ({
    name,
    type,
    ...(overlapping && { overlapping }),
    ...(bucketZone !== undefined && { bucket_zone: bucketZone }),
  }));
  const head = JSON.stringify({
    schema_version: "service-public-table-query.v1",
    query_id: ctx.queryId,
    table: identityOf(version),
    ...(found.length > 0 && { lookups: found }),
    columns: named,
  });
  return `${head.slice(0, -1)},"rows":[`;
}

interface Extras {
  total_rows?: number;
  cell?: { chars: number; offset: number; next_offset: number | null };
  tzdb?: string;
  lookups?: readonly { as: string; missing: number }[];
  notes?: readonly Note[];
}

/** What an answer has besides its rows, if it was requested. */
interface Counted {
  total: number | undefined;
  cell: CellPart | undefined;
  missing: readonly number[];
  notes: readonly Note[] | undefined;
}

/** The fields that are present only if they were requested. */
const extras = (plan: Plan, { total, cell, missing, notes }: Counted): Extras => ({
  ...(total !== undefined && { total_rows: total }),
  ...(cell && { cell: { chars: cell.chars, offset: cell.offset, next_offset: cell.nextOffset } }),
  ...(hasZone(plan) && { tzdb: TZDB }),
  ...(plan.lookups && { lookups: plan.lookups.map(({ as }, at) => ({ as, missing: missing[at] ?? 0 })) }),
  ...(notes && { notes }),
});

function replyTail(
  execution: { returned_rows: number; scanned_bytes: number; elapsed_ms: number; truncated: boolean } & Extras,
  nextCursor: string | null,
): string {
  return `],"execution":${JSON.stringify(execution)},"next_cursor":${JSON.stringify(nextCursor)}}`;
}

/** The longest tail that the reply may have; space for it is reserved before the rows are known. */
function tailRoom({ plan, limit, total }: PlannedQuery, scannedBytes: number, notes?: readonly Note[]): number {
  const counts = { returned_rows: limit, scanned_bytes: scannedBytes, elapsed_ms: 999_999, truncated: false };
  const most = Number.MAX_SAFE_INTEGER;
  const cell = plan.kind === "cell" ? { chars: most, offset: most, nextOffset: most } : undefined;
  const missing = (plan.lookups ?? []).map(() => most);
  const more = extras(plan, { total: total ? most : undefined, cell, missing, notes });
  return Buffer.byteLength(replyTail({ ...counts, ...more }, "x".repeat(cursorLength(missing.length))));
}
