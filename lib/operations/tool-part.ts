import type { z } from "zod";
import type { Access } from "@/lib/access/access-table";
import type { Context } from "@/lib/access/context";
import type { Failure } from "@/lib/kernel/errors";
import type { AppFacts } from "./app-facts";

/** A file that a reply points at, beside its text. */
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
  /** For the model to read; the structured content as JSON when absent. */
  text?: string;
  links?: readonly ResourceLink[];
  /** For clients that show the connector's app. */
  app?: AppFacts;
}

/** The hints of the protocol, under its own names. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** Nothing changes, however often it is called, and nobody outside the service hears of it. */
export const READING: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What a call of a tool takes from its caller's quotas. */
export type ToolTakes = "query" | "request";

export type ToolAccess = Extract<Access, `connector_${string}`>;

/** What a view is made from, beside the operation's output. */
export interface Viewed<Args, Located> {
  args: Args;
  located: Located;
  ctx: Context;
}

/** The input of the operation that a tool's arguments stand for. */
interface Given {
  path?: object;
  query?: object;
  body?: unknown;
}

/**
 * An operation as a tool of the connector, its arguments laid flat; whatever is absent is the operation's own. An
 * operation may have several. `lib/mcp/operation-tools.ts` makes the tools.
 */
export interface ToolPart<Args, Output, Located> {
  name?: string;
  /** The summary when absent. */
  title?: string;
  /** When to call it and what comes back; under 250 tokens. */
  description?: string;
  /** The row's `connector` counterpart when absent. */
  access?: ToolAccess;
  /** A query when absent; of building tools a metadata request, since they read rows nowhere. */
  takes?: ToolTakes;
  /** Those of the HTTP method when absent: GET reads, PUT and DELETE may be repeated, DELETE destroys. */
  hints?: ToolHints;
  /**
   * The members of path, query and body when absent, without `workspace_id`, which is the credential's own workspace.
   * An operation with a `rawBody` is given its arguments unchecked, with their numbers' own digits.
   */
  input?: z.ZodType<Args>;
  /** The operation's input; the arguments by the names of path, query and body when absent. */
  given?(args: Args, ctx: Context): Given | Promise<Given>;
  output?: z.ZodType;
  /** The output itself when absent. */
  view?(output: Output, viewed: Viewed<Args, Located>): ToolReply | Promise<ToolReply>;
  /** What a rejection says to a model instead, such as what the tool has for the case. */
  rejected?(failure: Failure, args: Args, ctx: Context): Promise<Failure>;
  /** Whether the connector's app shows its replies: these have `app`. */
  hasApp?: true;
  /** Ends a page of rows earlier than the caller's tier does. */
  pageBytesMax?: number;
}

/** A part of any operation: its `view` names the output that it is made from. */
// biome-ignore lint/suspicious/noExplicitAny: operations have many outputs, and tools arguments of their own
export type AnyToolPart = ToolPart<any, any, any>;

/** Infers the type of a part's arguments from its schema. */
export const toolPart = <Args, Output, Located>(part: ToolPart<Args, Output, Located>): AnyToolPart => part;
