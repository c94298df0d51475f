import "server-only";
import { stringify } from "lossless-json";
import type { Context } from "@/lib/access/context";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseExactJson, stringifyExactJson } from "@/lib/formats/exact-json";
import { Failure } from "@/lib/kernel/errors";
import { execute } from "@/lib/operations/execute";
import { type AnyOperation, schemasOf } from "@/lib/operations/operation";
import { ROUTED } from "@/lib/operations/registry";
import { cutJson } from "./cut-json";
import type { DocContext } from "./doc";
import { sampleValues } from "./samples/operation-sample";

export interface LiveReply {
  /** Undefined if it requires a credential, is not JSON, or reads data that is not there. */
  text: string | undefined;
  /** Whether it may be available in a moment, for example because the service is busy. */
  isPassing: boolean;
}

/** This service's reply to an operation's example, shortened. */
export async function liveReply(operation: AnyOperation, { place }: DocContext, ctx: Context): Promise<LiveReply> {
  const open = openTwin(operation);
  if (!open) return { text: undefined, isPassing: false };
  try {
    const text = stringify(cutJson(parseExactJson(await replyText(open, place, ctx))), null, 2);
    return { text, isPassing: false };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { text: undefined, isPassing: error.status >= 500 || error.retryAfterSeconds !== undefined };
  }
}

/** The operation, or an open one with the same reply: a query without a key replies like one with a key. */
function openTwin({ output }: AnyOperation): AnyOperation | undefined {
  if ("mediaType" in output) return undefined;
  return ROUTED.find((other) => other.output === output && (other.access === "open" || other.access === "open_query"));
}

async function replyText(operation: AnyOperation, place: DocContext["place"], ctx: Context): Promise<string> {
  const { path, query } = sampleValues(operation, place);
  const body = operation.examples?.body && parseJsonBody(JSON.stringify(operation.examples.body));
  const output: unknown = await execute(operation, { path, query: schemasOf(operation).query.parse(query), body }, ctx);
  if (!operation.reply) return stringifyExactJson(output);
  const { body: sent } = await operation.reply(output, ctx);
  if (sent.kind !== "bytes") throw new Error(`${operation.name} has no JSON to show`);
  return Buffer.from(sent.bytes).toString("utf8");
}
