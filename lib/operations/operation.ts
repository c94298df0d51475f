import type { Readable } from "node:stream";
import { z } from "zod";
import type { Access } from "@/lib/access/access-table";
import type { Context } from "@/lib/access/context";
import type { ErrorCode } from "@/lib/kernel/errors";
import type { OpenText } from "@/lib/storage/cached-text";
import type { VerifiedBlob } from "@/lib/storage/verified-blob";
import type { CommandPart } from "./command-part";
import type { FileBody } from "./file-body";
import type { AnyToolPart } from "./tool-part";

/**
 * The quota that a call counts against: an address's metadata requests, an address's or a key's queries, a person's
 * requests; `own`: the operation decides itself.
 */
export type Quota = "catalogue" | "query" | "account" | "own" | "none";

/** When and for what an operation ends, by the change policy. */
export interface Deprecation {
  /** The first day on which replies announce it. */
  since: Date;
  /** The day on which it ends: 12 months later or more. */
  sunset: Date;
  /** Path of the operation that takes its place. */
  successor?: string;
}

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body:
    | { kind: "bytes"; bytes: Uint8Array }
    | { kind: "text"; text: OpenText }
    | {
        kind: "file";
        blob: VerifiedBlob;
        range?: { start: number; end: number };
        onSent(sent: { bytes: number; complete: boolean }): void;
      }
    | {
        kind: "stream";
        stream: Readable;
        /** Absent if it is known only at the end. */
        sizeBytes?: number;
        /** Memory that it holds while a client reads slowly; 1 MiB if absent. */
        heldBytes?: number;
        /** What follows the body, announced in the Trailer header. */
        trailers?: () => Readonly<Record<string, string>>;
        onSent(sent: { bytes: number; complete: boolean }): void;
      }
    | { kind: "none" };
}

/**
 * The shapes of an input; an absent part accepts nothing. A `rawBody` reaches `run` unchecked, with its numbers' own
 * digits.
 */
export interface InputSchemas {
  path?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  rawBody?: z.ZodType;
  /** The body is a file, which `run` reads as it arrives: it may be larger, and take longer, than any other. */
  file?: true;
}

// biome-ignore lint/complexity/noBannedTypes: {} is what a part without fields holds
type PartOf<S, Name extends keyof InputSchemas> = S extends { [N in Name]: z.ZodType<infer T> } ? T : {};
export type PathOf<S> = PartOf<S, "path">;
type QueryOf<S> = PartOf<S, "query">;
type BodyOf<S> = S extends { file: true }
  ? FileBody
  : S extends { body: z.ZodType<infer T> }
    ? T
    : S extends { rawBody: z.ZodType }
      ? unknown
      : undefined;

/** What `run` receives: the validated parts of the input, and what `locate` found. */
export interface RunInput<S, Located> {
  path: PathOf<S>;
  query: QueryOf<S>;
  body: BodyOf<S>;
  located: Located;
  /** The media type in which an HTTP reply will be sent. */
  media?: string;
}

// biome-ignore lint/complexity/noBannedTypes: {} fits where nothing is required
type Optionally<Name extends string, T> = {} extends T ? { [N in Name]?: T } : { [N in Name]: T };

/** The input of an internal call; parts without required fields may be omitted. */
export type OperationInput<S> = Optionally<"path", PathOf<S>> &
  Optionally<"query", QueryOf<S>> &
  (undefined extends BodyOf<S> ? { body?: BodyOf<S> } : { body: BodyOf<S> });

/** Where an operation is available over HTTP. The `status` of a success defaults to 200. */
interface HttpPart {
  method: HttpMethod;
  path: string;
  status?: 201 | 202;
}

/**
 * THE description of a capability. The HTTP door, the OpenAPI document, the connector, the command line and the docs
 * are loops over these; an operation is where it has a part: `http`, `mcp`, `cli`. `locate` finds the resource before
 * the body is read, so that an unknown table returns 404 whatever the body contains.
 */
export interface Operation<S extends InputSchemas = InputSchemas, Located = undefined, Output = unknown> {
  name: string;
  summary: string;
  description: string;
  /** Row of the access table. */
  access: Access;
  quota: Quota;
  http?: HttpPart;
  /** The tools of the connector that are views of it. */
  mcp?: AnyToolPart | readonly AnyToolPart[];
  cli?: CommandPart;
  input: S;
  /** The JSON reply, or the media type of a reply that is not JSON. */
  output: z.ZodType | { mediaType: string };
  /** Besides those implied by access row, quota, path and body: `errorsOf` (operation-errors.ts) returns all. */
  errors?: readonly ErrorCode[];
  /** Headers of a success beyond those of every reply. */
  replyHeaders?: Readonly<Record<string, string>>;
  /** For an operation that will end: announced in its replies, in OpenAPI and the docs. */
  deprecation?: Deprecation;
  examples?: { path?: Record<string, string>; body?: Record<string, unknown> };
  /** Finds the resource in the path before the body is read; absent if there is none. */
  locate?(path: PathOf<S>, ctx: Context): Promise<Located>;
  run(input: RunInput<S, Located>, ctx: Context): Promise<Output>;
  /** How the output is sent over HTTP; cacheable JSON if absent. */
  reply?(output: Output, ctx: Context): Promise<Reply> | Reply;
  /** The same output in other media types, for callers who accept those rather than JSON. */
  alternatives?: Readonly<Record<string, (output: Output, ctx: Context) => Promise<Reply> | Reply>>;
}

/** Any operation, for loops over them. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds operations of many shapes; each is checked where it is defined.
export type AnyOperation = Operation<any, any, any>;

/** Type-checks an operation where it is defined, and infers the types of `run` from its schemas. */
export const operation = <const S extends InputSchemas, Located = undefined, Output = unknown>(
  description: Operation<S, Located, Output>,
): Operation<S, Located, Output> => description;

/** An operation that is available over HTTP. */
export type RoutedOperation = AnyOperation & { http: HttpPart };

export const isRouted = (one: AnyOperation): one is RoutedOperation => one.http !== undefined;

const NOTHING = z.strictObject({});

/** The schemas of an operation's input, including absent parts. */
export function schemasOf({ input }: AnyOperation): { path: z.ZodType; query: z.ZodType; body: z.ZodType | undefined } {
  const { path = NOTHING, query = NOTHING, body, rawBody }: InputSchemas = input;
  return { path, query, body: body ?? rawBody };
}
