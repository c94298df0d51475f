import { authorize, READ_SCOPE } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { type ErrorCode, Failure, fail } from "@/lib/kernel/errors";
import { type ConnectorPath, resourceAt } from "@/lib/oauth/server-metadata";
import type { Tool } from "./tool";

interface Challenge {
  error?: "invalid_token" | "insufficient_scope";
  description?: string;
}

/**
 * The WWW-Authenticate of a refusal: the scopes are those that the caller has and the one that is needed, so that
 * asking for them loses none.
 */
export function challenge(
  { baseUrl, actor }: Context,
  path: ConnectorPath,
  { error, description }: Challenge = {},
): string {
  const scopes = new Set([READ_SCOPE, ...("grant" in actor ? actor.grant.scopes : [])]);
  const parts = [`resource_metadata="${resourceAt(baseUrl, path).metadata}"`, `scope="${[...scopes].join(" ")}"`];
  if (error) parts.push(`error="${error}"`);
  if (description) parts.push(`error_description="${plainWords(description)}"`);
  return `Bearer ${parts.join(", ")}`;
}

/** RFC 6750, 3, lets a description hold nothing but ASCII, without quotes. */
const plainWords = (text: string): string =>
  text
    .replaceAll("…", "...")
    .replaceAll(/["\\]/g, "'")
    .replaceAll(/[^\x20-\x7e]/g, "?");

/** Whether signing in, or signing in again for more, is what the caller lacks: then the refusal is a challenge. */
export const asksToSignIn = ({ code }: Failure): boolean => code === "key_missing" || code === "insufficient_scope";

/** ChatGPT asks its person to sign in when a result carries the challenge, and gives up at a bare 401. */
export const readsChallengeInResult = (userAgent: string | null): boolean => /openai|chatgpt/i.test(userAgent ?? "");

/** Why the caller may not use the tool, by the access table and the connection's scopes; undefined where they may. */
export function refusalOf(tool: Tool, ctx: Context): Failure | undefined {
  try {
    authorize(tool.access, ctx);
    return undefined;
  } catch (refusal) {
    if (!(refusal instanceof Failure)) throw refusal;
    return fail(refusal.code, { message: TEXTS[refusal.code]?.(tool, ctx.baseUrl) ?? refusal.message });
  }
}

/** What a refusal tells a model to do. */
const TEXTS: Partial<Record<ErrorCode, (tool: Tool, base: string) => string>> = {
  insufficient_scope: ({ name }) =>
    `${name} requires the scope ${READ_SCOPE}, which was not granted. Connect again and request it.`,
  key_missing: missingText,
  key_wrong_type: wrongText,
};

function missingText({ name, access }: Tool, base: string): string {
  const connect = `${name} needs an OAuth connection: the client signs its person in at ${base} and asks them`;
  if (access === "connector_change" || !env().CONNECTOR_ACCEPT_USE_KEYS) return `${connect}.`;
  return (
    `${connect}. A client that cannot do so takes a use key, which a person makes at ${base}/settings/access, as ` +
    "Authorization: Bearer svc_use_…."
  );
}

function wrongText({ name }: Tool, base: string): string {
  return (
    `${name} changes a workspace, so it requires an OAuth connection; a use key is read-only. ` +
    `The first query_table call on a dataset with this key also connects it; ${base}/settings/access lists ` +
    `connected datasets.`
  );
}

/** What to do about a refusal, for the model. */
export const nextStep = (tool: Tool): string =>
  tool.access === "connector_change"
    ? "Next: continue with the reading tools. Call this tool again only after the person has signed in to connect " +
      "this client."
    : "Next: ask the person to sign in, or continue with the tools that need no credential (sample_rows, " +
      "get_table_schema). For details, call get_access_instructions.";
