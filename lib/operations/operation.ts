import type { Readable } from "node:stream";
import type { z } from "zod";
import type { Access } from "@/lib/access/access-table";
import type { Context } from "@/lib/access/context";
import type { ErrorCode } from "@/lib/errors";
import type { VerifiedBlob } from "@/lib/storage/verified-blob";

/** Which quota a call takes from: an address's metadata requests, its or its key's queries, a person's requests; `own`: it decides itself. */
export type Quota = "catalogue" | "query" | "account" | "own";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body:
    | { kind: "bytes"; bytes: Uint8Array }
    | {
        kind: "file";
        blob: VerifiedBlob;
        range?: { start: number; end: number };
        onSent(sent: { bytes: number; complete: boolean }): void;
      }
    | { kind: "stream"; stream: Readable; sizeBytes: number; onSent(sent: { bytes: number; complete: boolean }): void }
    | { kind: "none" };
}

export interface Input<Path, Query, Body> {
  path: Path;
  query: Query;
  body: Body;
}

/**
 * THE description of a capability. Route handlers, the OpenAPI document, the connector, the command line and the docs
 * are loops over these.
 * `locate` finds the resource before the body is read, so that an unknown table answers 404 whatever the body holds.
 */
export interface Operation<Path = never, Query = never, Body = never, Located = unknown, Output = unknown> {
  name: string;
  summary: string;
  description: string;
  /** Row of the access table. */
  access: Access;
  quota: Quota;
  /** `status` of a success is 200 when absent. */
  http: { method: HttpMethod; path: string; status?: 201 | 202 };
  /** `ownReading`: the body goes to `run` with its numbers' digits kept, and the operation checks it itself. */
  input: { path: z.ZodType<Path>; query: z.ZodType<Query>; body?: z.ZodType; ownReading?: true };
  /** The JSON reply, or the media type of a reply that is not JSON. */
  output: z.ZodType | { mediaType: string };
  errors: readonly ErrorCode[];
  /** Headers of a success beyond those of every reply. */
  replyHeaders?: Readonly<Record<string, string>>;
  examples?: { path?: Record<string, string>; body?: Record<string, unknown> };
  /** Finds what the path names, before the body is read; absent where there is nothing to find. */
  locate?(path: Path, ctx: Context): Promise<Located>;
  run(input: Input<Path, Query, Body>, located: Located, ctx: Context): Promise<Output>;
  /** How the output goes over HTTP; cacheable JSON when absent. */
  reply?(output: Output, ctx: Context): Promise<Reply> | Reply;
  /** The same output in other media types, for callers who accept those rather than JSON. */
  alternatives?: Readonly<Record<string, (output: Output, ctx: Context) => Promise<Reply> | Reply>>;
}

/** Any operation, for loops over them. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds operations of many shapes; each is checked where it is defined.
export type AnyOperation = Operation<any, any, any, any, any>;

/** Checks the types of an operation where it is defined. */
export function operation<Path, Query, Body, Located, Output>(
  description: Operation<Path, Query, Body, Located, Output>,
): Operation<Path, Query, Body, Located, Output> {
  return description;
}
