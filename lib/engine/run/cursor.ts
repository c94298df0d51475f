import { createHash, createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

/** The key that signs cursors. Each use of a key object costs a quarter of that of raw bytes. */
export type CursorSecret = KeyObject | Uint8Array;

/**
 * The last row returned by a paginated query over one version. `query` is the digest of what the cursor is bound to.
 */
export interface Cursor {
  versionId: string;
  position: bigint;
  query: Buffer;
}

const FORMAT = 1;
const QUERY_BYTES = 16;
const MAC_BYTES = 16;
const PAYLOAD_BYTES = 1 + 16 + 8 + QUERY_BYTES;

/** Length of every cursor: 57 bytes in base64url. */
export const CURSOR_LENGTH = Math.ceil(((PAYLOAD_BYTES + MAC_BYTES) * 4) / 3);

export function formatCursor(cursor: Cursor, secret: CursorSecret): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.writeUInt8(FORMAT, 0);
  payload.write(cursor.versionId.replaceAll("-", ""), 1, "hex");
  payload.writeBigUInt64BE(cursor.position, 17);
  cursor.query.copy(payload, 25);
  return Buffer.concat([payload, mac(payload, secret)]).toString("base64url");
}

/** Undefined for a cursor that is malformed, tampered with or signed with another secret. */
export function parseCursor(text: string, secret: CursorSecret): Cursor | undefined {
  if (text.length !== CURSOR_LENGTH || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  if (payload[0] !== FORMAT || !timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), mac(payload, secret))) return undefined;
  const id = payload.toString("hex", 1, 17);
  const versionId = [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join("-");
  return { versionId, position: payload.readBigUInt64BE(17), query: Buffer.from(payload.subarray(25)) };
}

/** The version that a cursor pins, so that it can be loaded before planning. Undefined for an invalid cursor. */
export function peekCursor(text: string, secret: CursorSecret): { versionId: string } | undefined {
  const cursor = parseCursor(text, secret);
  return cursor && { versionId: cursor.versionId };
}

/** The digest of what a cursor is bound to. */
export function digestQuery(parts: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest().subarray(0, QUERY_BYTES);
}

function mac(payload: Uint8Array, secret: CursorSecret): Buffer {
  return createHmac("sha256", secret).update("parquetry cursor\n").update(payload).digest().subarray(0, MAC_BYTES);
}
