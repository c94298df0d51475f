import type { CallToolResult } from "@modelcontextprotocol/server";
import { scopesOf } from "@/lib/access/authorize";
import { takeCallerRequest, takeQuery } from "@/lib/access/quotas";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { failureOf } from "@/lib/http/failure-of";
import { log } from "@/lib/http/log";
import type { ErrorCode, Failure } from "@/lib/kernel/errors";
import { begin, inSpan, nameRequest } from "@/lib/kernel/telemetry";
import type { Call } from "./connector-call";
import { markNumbers } from "./exact-numbers";
import { failureText } from "./failure-text";
import { challenge, needsSignIn, nextStep, rejectionOf } from "./rejection";
import { appMeta } from "./result-app";
import type { Tool } from "./tool";

const OURS: ReadonlySet<ErrorCode> = new Set(["internal", "integrity_failure", "storage_timeout", "unavailable"]);

/**
 * Runs a tool after counting the call against its caller's queries or metadata requests. Every error becomes a result
 * that a model can act on.
 */
export async function callTool(tool: Tool, messageId: unknown, call: Call): Promise<CallToolResult> {
  const { ctx, path, isOpenAi } = call;
  const rejection = rejectionOf(tool, ctx);
  if (rejection)
    return rejectedResult(
      tool,
      rejection,
      isOpenAi && needsSignIn(rejection, ctx)
        ? challenge(ctx, path, { ...described(rejection), needed: scopesOf(tool.access) })
        : undefined,
    );
  nameRequest("connector");
  const end = begin("tools", { tool: tool.name });
  try {
    await (tool.takes === "request" ? takeCallerRequest(ctx) : takeQuery(ctx));
    const {
      structured,
      text = stringifyExactJson(structured),
      links = [],
      app,
    } = await inSpan("tool", () => tool.call(call.argumentsOf(messageId), ctx), tool.name);
    end?.();
    return {
      content: [{ type: "text", text }, ...links],
      structuredContent: markNumbers(structured) as Record<string, unknown>,
      ...(call.showsApp && app && { _meta: appMeta(app, structured) }),
    };
  } catch (thrown) {
    const failure = failureOf(thrown);
    end?.(failure);
    if (OURS.has(failure.code) && !ctx.signal?.aborted)
      log().error({ ...logContext(tool, messageId, call), code: failure.code, err: thrown }, "tool failed");
    if (failure.retryAfterSeconds !== undefined)
      ctx.replyHeaders.set("retry-after", String(Math.max(1, Math.ceil(failure.retryAfterSeconds))));
    return { content: [{ type: "text", text: failureText(failure, ctx.requestId) }], isError: true };
  }
}

/** The identifiers in a log line. */
const logContext = ({ name }: Tool, messageId: unknown, { ctx, traceIdOf }: Call) => ({
  request_id: ctx.requestId,
  trace_id: traceIdOf(messageId),
  tool: name,
});

const described = ({ code, message }: Failure) => ({
  error: code === "insufficient_scope" ? ("insufficient_scope" as const) : ("invalid_token" as const),
  description: message,
});

function rejectedResult(tool: Tool, { code, message }: Failure, requested: string | undefined): CallToolResult {
  const text = `${code}: ${message}\n${nextStep(tool)}`;
  return {
    content: [{ type: "text", text }],
    isError: true,
    ...(requested !== undefined && { _meta: { "mcp/www_authenticate": [requested] } }),
  };
}
