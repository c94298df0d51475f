import type { Readable } from "node:stream";
import { z } from "zod";
import type { Access } from "@/lib/access/access-table";
import type { Context } from "@/lib/access/context";
import type { ErrorCode } from "@/lib/kernel/errors";
import type { VerifiedBlob } from "@/lib/storage/verified-blob";

/**
 * Which quota a call takes from: an address's metadata requests, its or its key's queries, a person's requests; `own`:
 * it decides itself.
 */
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

/**
 * The shapes of an input; a part that is absent takes nothing. A `rawBody` reaches `run` unchecked, with its numbers'
 * own
 * digits.
 */
export interface InputSchemas {
  path?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  rawBody?: z.ZodType;
}

// biome-ignore lint/complexity/noBannedTypes: {} is what a part without fields holds
type PartOf<S, Name extends keyof InputSchemas> = S extends { [N in Name]: z.ZodType<infer T> } ? T : {};
export type PathOf<S> = PartOf<S, "path">;
type QueryOf<S> = PartOf<S, "query">;
type BodyOf<S> = S extends { body: z.ZodType<infer T> } ? T : S extends { rawBody: z.ZodType } ? unknown : undefined;

/** What `run` is given: the checked parts of the input, and what `locate` found. */
export interface RunInput<S, Located> {
  path: PathOf<S>;
  query: QueryOf<S>;
  body: BodyOf<S>;
  located: Located;
}

// biome-ignore lint/complexity/noBannedTypes: {} fits where nothing is required
type Optionally<Name extends string, T> = {} extends T ? { [N in Name]?: T } : { [N in Name]: T };

/** The input of a call from inside; parts that require nothing may be left out. */
export type Given<S> = Optionally<"path", PathOf<S>> &
  Optionally<"query", QueryOf<S>> &
  (undefined extends BodyOf<S> ? { body?: BodyOf<S> } : { body: BodyOf<S> });

/**
 * THE description of a capability. The HTTP door, the OpenAPI document, the connector, the command line and the docs
 * are
 * loops over these.
 * `locate` finds the resource before the body is read, so that an unknown table answers 404 whatever the body holds.
 */
export interface Operation<S extends InputSchemas = InputSchemas, Located = undefined, Output = unknown> {
  name: string;
  summary: string;
  description: string;
  /** Row of the access table. */
  access: Access;
  quota: Quota;
  /** `status` of a success is 200 when absent. */
  http: { method: HttpMethod; path: string; status?: 201 | 202 };
  input: S;
  /** The JSON reply, or the media type of a reply that is not JSON. */
  output: z.ZodType | { mediaType: string };
  /** Beside those that access row, quota, path and body imply: `errorsOf` (operation-errors.ts) tells all. */
  errors?: readonly ErrorCode[];
  /** Headers of a success beyond those of every reply. */
  replyHeaders?: Readonly<Record<string, string>>;
  examples?: { path?: Record<string, string>; body?: Record<string, unknown> };
  /** Finds what the path names, before the body is read; absent where there is nothing to find. */
  locate?(path: PathOf<S>, ctx: Context): Promise<Located>;
  run(input: RunInput<S, Located>, ctx: Context): Promise<Output>;
  /** How the output goes over HTTP; cacheable JSON when absent. */
  reply?(output: Output, ctx: Context): Promise<Reply> | Reply;
  /** The same output in other media types, for callers who accept those rather than JSON. */
  alternatives?: Readonly<Record<string, (output: Output, ctx: Context) => Promise<Reply> | Reply>>;
}

/** Any operation, for loops over them. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds operations of many shapes; each is checked where it is defined.
export type AnyOperation = Operation<any, any, any>;

/** Checks the types of an operation where it is defined, and infers those of `run` from its schemas. */
export const operation = <const S extends InputSchemas, Located = undefined, Output = unknown>(
  description: Operation<S, Located, Output>,
): Operation<S, Located, Output> => description;

const NOTHING = z.strictObject({});

/** The schemas of an operation's input, those of absent parts included. */
export function schemasOf({ input }: AnyOperation): { path: z.ZodType; query: z.ZodType; body: z.ZodType | undefined } {
  const { path = NOTHING, query = NOTHING, body, rawBody }: InputSchemas = input;
  return { path, query, body: body ?? rawBody };
}
