import type { Readable } from "node:stream";
import type { z } from "zod";
import type { AgentGrant } from "@/lib/auth/oauth/access-token";
import type { Engine } from "@/lib/engine/duckdb/engine";
import type { ErrorCode } from "@/lib/errors";
import type { VerifiedBlob } from "@/lib/storage/verified-blob";
import type { StoredKey } from "@/lib/store/keys";
import type { LiveSession } from "@/lib/store/sessions";
import type { Membership } from "@/lib/store/workspaces";
import type { Access } from "./access";

/**
 * What a call brings along besides its input. Everything an operation does to the world goes through here or lib/store.
 */
export interface Context {
  requestId: string;
  method: string;
  /**
   * The client's address, or undefined for calls from inside (pages, the command line), which no address limit applies
   * to.
   */
  address: string | undefined;
  /** The use key that the call was made with, once it has been checked. */
  key: StoredKey | undefined;
  /** The connection that an agent's access token stands for, once it has been checked. */
  agent: AgentGrant | undefined;
  /** The signed-in person's session, once it has been checked. */
  session: LiveSession | undefined;
  /** What the person is in the workspace that the path names, where the operation asks for it. */
  membership: Membership | undefined;
  /** The service's public address, without a trailing slash. */
  baseUrl: string;
  /** performance.now() when the request arrived. */
  startedAt: number;
  signal?: AbortSignal | undefined;
  now(): Date;
  header(name: string): string | null;
  engine(): Promise<Engine>;
  /** Told of failures that the caller does not see. */
  onBackgroundError(error: unknown): void;
  /** Headers that the reply carries whether it succeeds or fails. */
  replyHeaders: Headers;
  /** Other sites' pages may not read the reply. */
  isPersonal: boolean;
  /** Ends a page of rows earlier than the caller's tier does: for readers who pay for every word. */
  pageBytesMax?: number;
}

/**
 * Which allowance a call takes from: `catalogue` is an address's light calls, `account` is a person's light calls;
 * `own` when the operation itself decides.
 */
export type Allowance = "catalogue" | "query" | "account" | "own";

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
  allowance: Allowance;
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
