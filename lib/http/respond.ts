import { createHash } from "node:crypto";
import { workspaceOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { callerOf } from "@/lib/access/quotas";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import type { ErrorCode } from "@/lib/kernel/errors";
import type { Reply } from "@/lib/operations/operation";
import { isUnchanged } from "@/lib/operations/reading/preconditions";
import type { OpenText } from "@/lib/storage/cached-text";
import { CORS_HEADERS } from "./cors";
import { blobBody, type DeferredBody, deferredResponse } from "./deferred-body";
import { envelope } from "./envelope";
import { failureOf } from "./failure-of";
import { log } from "./log";

const JSON_TYPE = "application/json; charset=utf-8";
const CACHEABLE = "public, max-age=60, stale-while-revalidate=600";
/** For replies read with a key, which may be private. */
const OWN = "private, max-age=60";

interface Written {
  bytes: Uint8Array;
  tag: string;
}

/** Serialised outputs, for outputs that are kept in memory. */
const written = new WeakMap<object, Written>();

/** A value as cacheable JSON. A frozen object that is sent again is not serialised again. */
export function jsonReply(value: unknown, ctx: Context): Reply {
  const final = typeof value === "object" && value !== null && Object.isFrozen(value) ? value : undefined;
  const { bytes, tag } = (final && written.get(final)) ?? write(value);
  if (final) written.set(final, { bytes, tag });
  return cacheable(tag, { kind: "bytes", bytes }, JSON_TYPE, ctx);
}

function write(value: unknown): Written {
  const bytes = Buffer.from(stringifyExactJson(value));
  return { bytes, tag: entityTag(bytes) };
}

/** A value as JSON for one person only. It is not cached. */
export function personalReply(value: unknown, status: number): Reply {
  const headers = { "content-type": JSON_TYPE, "cache-control": "no-store" };
  return { status, headers, body: { kind: "bytes", bytes: Buffer.from(JSON.stringify(value)) } };
}

/** Text or a picture that may be cached, with a strong ETag; 304 if the client has it, 412 if it asks for another. */
export function cacheableReply(content: string | Uint8Array, mediaType: string, ctx: Context): Reply {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return cacheable(entityTag(bytes), { kind: "bytes", bytes }, mediaType, ctx);
}

/** The same for text that is kept in a file. */
export function cachedReply(text: OpenText, mediaType: string, ctx: Context): Reply {
  let isSent = false;
  try {
    const reply = cacheable(text.etag, { kind: "text", text }, mediaType, ctx);
    isSent = reply.body.kind !== "none";
    return reply;
  } finally {
    if (!isSent) void text.file.close();
  }
}

function cacheable(etag: string, body: Reply["body"], mediaType: string, ctx: Context): Reply {
  const headers = {
    etag,
    ...(workspaceOf(ctx) !== undefined ? { "cache-control": OWN, vary: "X-Api-Key" } : { "cache-control": CACHEABLE }),
  };
  if (isUnchanged(ctx, headers.etag)) return { status: 304, headers, body: { kind: "none" } };
  return { status: 200, headers: { ...headers, "content-type": mediaType }, body };
}

/** The HTTP response of a reply; its body is left to the sender. */
export function respond({ status, headers: own, body }: Reply, ctx: Context): Response {
  const headers = replyHeaders(ctx, own);
  if (body.kind === "none") return new Response(null, { status, headers });
  return deferredResponse({ ...deferredBody(body), reader: callerOf(ctx).subject }, { status, headers });
}

function deferredBody(body: Exclude<Reply["body"], { kind: "none" }>): DeferredBody {
  if (body.kind === "bytes") return { kind: "bytes", bytes: body.bytes };
  if (body.kind === "stream") return body;
  if (body.kind === "text") return { kind: "file", file: body.text.file, sizeBytes: body.text.bytes };
  return blobBody(body.blob, { ...(body.range && { range: body.range }), onSent: body.onSent });
}

const UNEXPECTED: ReadonlySet<ErrorCode> = new Set(["internal", "integrity_failure", "storage_timeout", "unavailable"]);

/** The HTTP response for anything thrown: the envelope of a Failure, `internal` for anything else. */
export function respondWithFailure(thrown: unknown, ctx: Context, request: Request): Response {
  const failure = failureOf(thrown);
  if (UNEXPECTED.has(failure.code) && !request.signal.aborted)
    log().error({ request_id: ctx.requestId, code: failure.code, err: thrown }, "request failed");
  const headers = replyHeaders(ctx, { ...failure.headers, "content-type": JSON_TYPE, "cache-control": "no-store" });
  if (failure.retryAfterSeconds !== undefined)
    headers.set("retry-after", String(Math.max(1, Math.ceil(failure.retryAfterSeconds))));
  if (request.method === "HEAD" && failure.code === "method_not_allowed") headers.delete("content-type");
  const body = request.method === "HEAD" ? null : JSON.stringify(envelope(failure, ctx.requestId));
  return new Response(body, { status: failure.status, headers });
}

function replyHeaders(ctx: Context, own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers({ ...(!ctx.isPersonal && CORS_HEADERS), "x-request-id": ctx.requestId });
  for (const [name, value] of ctx.replyHeaders) headers.set(name, value);
  for (const [name, value] of Object.entries(own)) {
    if (name === "link") headers.append(name, value);
    else headers.set(name, value);
  }
  return headers;
}

/** A strong ETag for these bytes. */
export const entityTag = (bytes: Uint8Array | string): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 32)}"`;
