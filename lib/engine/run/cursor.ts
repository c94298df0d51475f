import { createHash, createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { LOOKUPS_MAX } from "@/lib/engine/grammar/bounds";

/** The key that signs cursors. Each use of a key object costs a quarter of that of raw bytes. */
export type CursorSecret = KeyObject | Uint8Array;

/**
 * The last row returned by a paginated query over one version. `query` is the digest of what the cursor is bound to.
 */
export interface Cursor {
  versionId: string;
  /** The ids of the versions that columns are looked up in. */
  lookups: readonly string[];
  position: bigint;
  query: Buffer;
}

/** The first byte: without lookups, and with them. */
const FORMAT = 1;
const FORMAT_OF_LOOKUPS = 2;
const QUERY_BYTES = 16;
const MAC_BYTES = 16;
const ID_BYTES = 16;
const PAYLOAD_BYTES = 1 + ID_BYTES + 8 + QUERY_BYTES;

/** Length of every cursor of a query with so many lookups: without any, 57 bytes in base64url. */
export const cursorLength = (lookups: number): number =>
  Math.ceil(((PAYLOAD_BYTES + lookups * ID_BYTES + MAC_BYTES) * 4) / 3);

export function formatCursor({ versionId, position, query, lookups }: Cursor, secret: CursorSecret): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES + lookups.length * ID_BYTES);
  payload.writeUInt8(lookups.length > 0 ? FORMAT_OF_LOOKUPS : FORMAT, 0);
  payload.write(versionId.replaceAll("-", ""), 1, "hex");
  payload.writeBigUInt64BE(position, 17);
  query.copy(payload, 25);
  for (const [at, id] of lookups.entries()) payload.write(id.replaceAll("-", ""), PAYLOAD_BYTES + at * ID_BYTES, "hex");
  return Buffer.concat([payload, mac(payload, secret)]).toString("base64url");
}

/** Undefined for a cursor that is malformed, tampered with or signed with another secret. */
export function parseCursor(text: string, secret: CursorSecret): Cursor | undefined {
  const count = LOOKUP_COUNTS.find((lookups) => text.length === cursorLength(lookups));
  if (count === undefined || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const payload = bytes.subarray(0, PAYLOAD_BYTES + count * ID_BYTES);
  const isIntact = timingSafeEqual(bytes.subarray(payload.byteLength), mac(payload, secret));
  if (payload[0] !== (count > 0 ? FORMAT_OF_LOOKUPS : FORMAT) || !isIntact) return undefined;
  return {
    versionId: idAt(payload, 1),
    position: payload.readBigUInt64BE(17),
    query: Buffer.from(payload.subarray(25, PAYLOAD_BYTES)),
    lookups: Array.from({ length: count }, (_, at) => idAt(payload, PAYLOAD_BYTES + at * ID_BYTES)),
  };
}

const LOOKUP_COUNTS = Array.from({ length: LOOKUPS_MAX + 1 }, (_, count) => count);

function idAt(payload: Buffer, start: number): string {
  const id = payload.toString("hex", start, start + ID_BYTES);
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join("-");
}

/** The versions that a cursor pins, so that they can be loaded before planning. Undefined for an invalid cursor. */
export function peekCursor(text: string, secret: CursorSecret): Pick<Cursor, "versionId" | "lookups"> | undefined {
  const cursor = parseCursor(text, secret);
  return cursor && { versionId: cursor.versionId, lookups: cursor.lookups };
}

/** The digest of what a cursor is bound to. */
export function digestQuery(parts: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest().subarray(0, QUERY_BYTES);
}

function mac(payload: Uint8Array, secret: CursorSecret): Buffer {
  return createHmac("sha256", secret).update("parquetry cursor\n").update(payload).digest().subarray(0, MAC_BYTES);
}
