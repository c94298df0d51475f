import type { z } from "zod";
import { ACCESS } from "@/lib/access/access-table";
import { ownWorkspace } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { checkBody } from "@/lib/http/read-input";
import { Failure } from "@/lib/kernel/errors";
import { executeLocated } from "@/lib/operations/execute";
import { flatInput, namesWorkspace, toInput, WORKSPACE } from "@/lib/operations/flat-input";
import type { AnyOperation } from "@/lib/operations/operation";
import { withIds, withLookupIds } from "@/lib/operations/reading/names";
import { type AnyToolPart, READING, type ToolAccess, type ToolHints } from "@/lib/operations/tool-part";
import { plainNumbers } from "./exact-numbers";
import type { Tool } from "./tool";

type Values = Readonly<Record<string, unknown>>;

/**
 * The tools of an operation's `mcp` part. Throws when the service starts if a part leaves required information open.
 */
export function toolsOf(operation: AnyOperation): Tool[] {
  const { mcp = [] } = operation;
  return (Array.isArray(mcp) ? mcp : [mcp]).map((part: AnyToolPart) => toolOf(operation, part));
}

function toolOf(operation: AnyOperation, part: AnyToolPart): Tool {
  const { name = operation.name, title = operation.summary, description = operation.description } = part;
  const access = part.access ?? connectorRowOf(operation);
  const input = part.input ?? flatInput(operation);
  const isRaw = operation.input.rawBody !== undefined;
  const asTool = { ...operation, access };
  return {
    ...{ name, title, description, access, input },
    hints: part.hints ?? hintsOf(operation),
    takes: part.takes ?? (operation.quota === "query" ? "query" : "request"),
    output: part.output ?? jsonOutputOf(operation),
    hasApp: part.hasApp,
    async call(rawArgs, ctx) {
      const checked = (isRaw ? (rawArgs ?? {}) : checkBody(rawArgs ?? {}, input)) as Values;
      // building tools take their dataset as `dataset`; the slug of create_dataset does not belong to a dataset yet
      const args = access === "connector_build" ? await withLookupIds(checked, ctx) : await withIds(checked, ctx);
      const given = (await part.toInput?.(args, ctx)) ?? inputFrom(operation, args, ctx);
      const caller = part.pageBytesMax === undefined ? ctx : { ...ctx, pageBytesMax: part.pageBytesMax };
      const { output, located } = await executeLocated(asTool, given, caller).catch(async (thrown) => {
        throw thrown instanceof Failure && part.rejected ? await part.rejected(thrown, args, ctx) : thrown;
      });
      const viewed = { args: isRaw ? plainNumbers(args) : args, located, ctx };
      return (await part.view?.(output, viewed)) ?? { structured: output as Values };
    },
  };
}

/** The row that applies through the connector. */
function connectorRowOf({ name, access }: AnyOperation): ToolAccess {
  const row = (ACCESS[access] as { connector?: ToolAccess }).connector ?? access;
  if (!row.startsWith("connector_"))
    throw new Error(`${name}: the row ${access} has no connector row; give mcp.access`);
  return row as ToolAccess;
}

/** The hints that follow from the HTTP method; an operation without one gives them itself. */
function hintsOf({ name, http }: AnyOperation): ToolHints {
  if (!http) throw new Error(`${name}: give mcp.hints, since there is no HTTP method to derive them from`);
  if (http.method === "GET") return READING;
  return {
    readOnlyHint: false,
    destructiveHint: http.method === "DELETE",
    idempotentHint: http.method === "PUT" || http.method === "DELETE",
    openWorldHint: false,
  };
}

function jsonOutputOf({ name, output }: AnyOperation): z.ZodType {
  if ("mediaType" in output) throw new Error(`${name}: a file is not structured content; give mcp.output and mcp.view`);
  return output;
}

/** A connection acts for one workspace, so the workspace's id is not an argument. */
const inputFrom = (operation: AnyOperation, args: Values, ctx: Context) =>
  toInput(operation, namesWorkspace(operation) ? { ...args, [WORKSPACE]: ownWorkspace(ctx) } : args);
