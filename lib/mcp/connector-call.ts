import type { Context } from "@/lib/access/context";
import type { ConnectorPath } from "@/lib/oauth/server-metadata";

/** One HTTP request to the connector: who calls, and the arguments of its calls with their numbers' own digits. */
export interface Call {
  ctx: Context;
  /** Which of the connector's addresses was called: what a challenge names. */
  path: ConnectorPath;
  /** Whether a refusal is told inside a tool's result, for clients that read no challenge of HTTP. */
  inResult: boolean;
  /** The arguments of the message with this id. */
  argumentsOf(id: unknown): unknown;
}
