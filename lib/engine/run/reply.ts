import type { Engine } from "@/lib/engine/duckdb/engine";
import { readingParquet, readSource } from "@/lib/engine/duckdb/source";
import type { Plan } from "@/lib/engine/plan/plan";
import { mayHoldNull, rowBytes, scannedBytes as scannedBytesOf } from "@/lib/engine/sql/scanned-bytes";
import { resultColumns } from "@/lib/engine/sql/sql";
import { fail } from "@/lib/errors";
import { CURSOR_LENGTH, formatCursor } from "./cursor";
import type { QueryContext, QueryPage, SealedVersion } from "./query";
import { type RowsRange, readRows } from "./walk";

export interface ReplyContext extends QueryContext {
  startedAt: number;
  /** Of what the cursor is bound to. */
  digest: Buffer;
  limit: number;
  offset: number;
  /** The position of the last row of the page before; undefined on the first page. */
  after: bigint | undefined;
  /** Of the whole body. */
  bytesMax: number;
  int64AsText: boolean;
}

/** Reads a page and writes the whole reply around it. Throws `result_too_large`, and what the engine throws. */
export async function readReply(
  engine: Engine,
  version: SealedVersion,
  plan: Plan,
  ctx: ReplyContext,
): Promise<QueryPage> {
  const columns = resultColumns(plan, version.columns);
  const head = replyHead(version, ctx, columns);
  const { rows, scannedBytes } = await engine.run(async (session) => {
    const footer = await readingParquet(() => engine.footer(session, version));
    const scanned = scannedBytesOf(footer, plan, ctx.after);
    const bytesMax = ctx.bytesMax - Buffer.byteLength(head) - tailRoom(ctx.limit, scanned);
    const range: RowsRange = {
      ...ctx,
      bytesMax,
      rowBytes: plan.kind === "rows" ? rowBytes(footer, plan.columns) : 0,
      mayHoldNull: (column) => mayHoldNull(footer, column),
    };
    return {
      rows: await readSource(engine, version, (source) => readRows(session, source, version.columns, plan, range)),
      scannedBytes: scanned,
    };
  }, ctx);
  if (rows.tooLarge) throw fail("result_too_large");
  const elapsedMs = Math.round(performance.now() - ctx.startedAt);
  const nextCursor =
    plan.kind === "rows" && rows.hasMore && rows.last !== undefined
      ? formatCursor({ versionId: version.versionId, position: rows.last, query: ctx.digest }, ctx.secret)
      : null;
  const execution = {
    returned_rows: rows.taken,
    scanned_bytes: scannedBytes,
    elapsed_ms: elapsedMs,
    truncated: rows.hasMore,
  };
  const body = Buffer.concat([Buffer.from(head), ...rows.parts, Buffer.from(replyTail(execution, nextCursor))]);
  return {
    body,
    columns,
    rowParts: rows.parts,
    returnedRows: rows.taken,
    scannedBytes,
    elapsedMs,
    truncated: rows.hasMore,
    nextCursor,
    grouped: plan.kind === "groups",
  };
}

function replyHead(
  version: SealedVersion,
  ctx: QueryContext,
  columns: readonly { name: string; type: string }[],
): string {
  const table = {
    id: version.tableId,
    version_id: version.versionId,
    content_digest: `sha256:${version.digest}`,
    published_at: version.publishedAt,
  };
  const named = columns.map(({ name, type }) => ({ name, type }));
  const head = JSON.stringify({
    schema_version: "service-public-table-query.v1",
    query_id: ctx.queryId,
    table,
    columns: named,
  });
  return `${head.slice(0, -1)},"rows":[`;
}

function replyTail(
  execution: { returned_rows: number; scanned_bytes: number; elapsed_ms: number; truncated: boolean },
  nextCursor: string | null,
): string {
  return `],"execution":${JSON.stringify(execution)},"next_cursor":${JSON.stringify(nextCursor)}}`;
}

/** The longest tail that the reply may get: the room kept for it before the rows are known. */
function tailRoom(limit: number, scannedBytes: number): number {
  return replyTail(
    { returned_rows: limit, scanned_bytes: scannedBytes, elapsed_ms: 999_999, truncated: false },
    "x".repeat(CURSOR_LENGTH),
  ).length;
}
