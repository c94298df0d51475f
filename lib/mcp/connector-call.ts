import type { Context } from "@/lib/access/context";
import type { ConnectorPath } from "@/lib/oauth/server-metadata";
import type { ClientFacts, Toolbox } from "./tools";

/** One HTTP request to the connector: its caller, and the arguments of its calls with their numbers' own digits. */
export interface Call extends ClientFacts {
  ctx: Context;
  tools: Toolbox;
  /** Which of the connector's URLs was called: named in a challenge. */
  path: ConnectorPath;
  /** The arguments of the message with this id. */
  argumentsOf(id: unknown): unknown;
  /** The trace that the message with this id, or otherwise the request, belongs to. */
  traceIdOf(id: unknown): string | undefined;
}
