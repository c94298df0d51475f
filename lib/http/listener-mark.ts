import { randomBytes } from "node:crypto";
import { processWide } from "@/lib/kernel/process-wide";

/** Prefix of headers between our listener and the route handlers. The listener deletes any that a client sends. */
export const INTERNAL_PREFIX = "x-parquetry-";
export const MARK_HEADER = "x-parquetry-listener";
/** Response header for the length that a HEAD announces, because Next drops Content-Length itself. */
export const LENGTH_HEADER = "x-parquetry-content-length";
export const ADDRESS_HEADER = "x-parquetry-client-address";

/** A secret of this process, so that the mark means nothing if a client sends it to a server without our listener. */
export const listenerMark = (): string => processWide("listener-mark", () => randomBytes(18).toString("base64url"));

/** Whether the request came through our listener; only then are the headers above trusted. */
export const cameThroughListener = (headers: Headers): boolean => headers.get(MARK_HEADER) === listenerMark();

/** The client's address as the listener saw it; null without our listener (`next dev`). */
export const clientAddress = (headers: Headers): string | null =>
  cameThroughListener(headers) ? headers.get(ADDRESS_HEADER) : null;
