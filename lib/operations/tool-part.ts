import type { z } from "zod";
import type { Access } from "@/lib/access/access-table";
import type { Context } from "@/lib/access/context";
import type { Failure } from "@/lib/kernel/errors";
import type { AppFacts } from "./app-facts";

/** A file that a reply links to, in addition to its text. */
interface ResourceLink {
  type: "resource_link";
  uri: string;
  name: string;
  mimeType?: string;
  size?: number;
}

/** What a tool of the connector returns. */
export interface ToolReply {
  /** Fits the tool's `output`; numbers that a double cannot hold are LosslessNumbers. */
  structured: Readonly<Record<string, unknown>>;
  /** For the model to read; defaults to the structured content as JSON. */
  text?: string;
  links?: readonly ResourceLink[];
  /** For clients that show the connector's app. */
  app?: AppFacts;
}

/** The hints of the protocol, under its own names. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  /** Of tools that change something: for others it means nothing. */
  idempotentHint?: boolean;
  openWorldHint: boolean;
}

/** Nothing changes, however often it is called, and nothing outside the service is contacted. */
export const READING: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

/** What a tool call counts as in its caller's quotas. */
export type ToolTakes = "query" | "request";

export type ToolAccess = Extract<Access, `connector_${string}`>;

/** What a view is made from, in addition to the operation's output. */
export interface Viewed<Args, Located> {
  args: Args;
  located: Located;
  ctx: Context;
}

/** The input of the operation that a tool's arguments stand for. */
interface ToolInput {
  path?: object;
  query?: object;
  body?: unknown;
}

/**
 * An operation as a tool of the connector, with flat arguments; absent fields default to the operation's own. An
 * operation may have several. `lib/mcp/operation-tools.ts` makes the tools.
 */
export interface ToolPart<Args, Output, Located> {
  name?: string;
  /** Default: the summary. */
  title?: string;
  /** When to call it, and what it returns; under 250 tokens. */
  description?: string;
  /** Default: the row's `connector` counterpart. */
  access?: ToolAccess;
  /** Default: a query if the operation counts as one, otherwise a metadata request. */
  takes?: ToolTakes;
  /** Default: those of the HTTP method: GET reads, PUT and DELETE are idempotent, DELETE is destructive. */
  hints?: ToolHints;
  /**
   * Default: the members of path, query and body, without `workspace_id`, which is the credential's own workspace. An
   * operation with a `rawBody` is given its arguments unchecked, with their numbers' own digits.
   */
  input?: z.ZodType<Args>;
  /** The operation's input. Default: the arguments, distributed by name to path, query and body. */
  toInput?(args: Args, ctx: Context): ToolInput | Promise<ToolInput>;
  output?: z.ZodType;
  /** Default: the output itself. */
  view?(output: Output, viewed: Viewed<Args, Located>): ToolReply | Promise<ToolReply>;
  /** Replaces what a rejection says to a model, for example with what the tool offers for the case. */
  rejected?(failure: Failure, args: Args, ctx: Context): Promise<Failure>;
  /** Whether the connector's app shows its replies: these have `app`. */
  hasApp?: true;
  /** Ends a page of rows, sent as lists of values, earlier than the caller's tier does. */
  pageBytesMax?: number;
}

/** A part of any operation: its `view` names the output that it is made from. */
// biome-ignore lint/suspicious/noExplicitAny: operations have many outputs, and tools arguments of their own
export type AnyToolPart = ToolPart<any, any, any>;

/** Infers the type of a part's arguments from its schema. */
export const toolPart = <Args, Output, Located>(part: ToolPart<Args, Output, Located>): AnyToolPart => part;
