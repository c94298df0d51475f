import { authorize, READ_SCOPE, scopesOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { type ErrorCode, Failure, fail } from "@/lib/kernel/errors";
import type { Scope } from "@/lib/oauth/scopes";
import { type ConnectorPath, resourceAt } from "@/lib/oauth/server-metadata";
import type { Tool } from "./tool";

interface Challenge {
  /** The scopes that the call needs; the reading scope if absent. */
  needed?: readonly Scope[];
  error?: "invalid_token" | "insufficient_scope";
  description?: string;
}

/**
 * The WWW-Authenticate header of a rejection: the scopes that the caller has and the one that is needed, so that
 * requesting them loses none.
 */
export function challenge(
  { baseUrl, actor }: Context,
  path: ConnectorPath,
  { error, description, needed = [READ_SCOPE] }: Challenge = {},
): string {
  const scopes = new Set([...needed, ...("grant" in actor ? actor.grant.scopes : [])]);
  const parts = [`resource_metadata="${resourceAt(baseUrl, path).metadata}"`, `scope="${[...scopes].join(" ")}"`];
  if (error) parts.push(`error="${error}"`);
  if (description) parts.push(`error_description="${plainText(description)}"`);
  return `Bearer ${parts.join(", ")}`;
}

/** RFC 6750, 3, lets a description hold nothing but ASCII, without quotes. */
const plainText = (text: string): string =>
  text
    .replaceAll("…", "...")
    .replaceAll(/["\\]/g, "'")
    .replaceAll(/[^\x20-\x7e]/g, "?");

/** Whether signing in, or signing in again with more scopes, would help: then the rejection is a challenge. */
export const needsSignIn = ({ code }: Failure, { actor }: Pick<Context, "actor">): boolean =>
  code === "key_missing" || (code === "insufficient_scope" && actor.kind !== "key");

/**
 * ChatGPT and its siblings: they ask their person to sign in if a result carries the challenge, give up at a bare 401,
 * and read securitySchemes of tools.
 */
export const isOpenAiClient = (userAgent: string | null): boolean => /openai|chatgpt/i.test(userAgent ?? "");

/** Why the caller may not use the tool, by the access table and the connection's scopes; undefined if they may. */
export function rejectionOf(tool: Tool, ctx: Context): Failure | undefined {
  try {
    authorize(tool.access, ctx);
    return undefined;
  } catch (rejection) {
    if (!(rejection instanceof Failure)) throw rejection;
    // what a limited key may not do, no sign-in of its program changes
    if (ctx.actor.kind === "key" && rejection.code === "insufficient_scope") return rejection;
    return fail(rejection.code, { message: TEXTS[rejection.code]?.(tool, ctx.baseUrl) ?? rejection.message });
  }
}

/** What a rejection tells a model to do. */
const TEXTS: Partial<Record<ErrorCode, (tool: Tool, base: string) => string>> = {
  insufficient_scope: ({ name, access }) =>
    `${name} requires the scope ${scopesOf(access).join(" and ")}, which was not granted. ` +
    "Connect again and request it.",
  key_missing: missingText,
  key_wrong_type: wrongText,
};

const changesWorkspace = (access: Tool["access"]): boolean =>
  access === "connector_change" || access === "connector_build";

function missingText({ name, access }: Tool, base: string): string {
  const connect = `${name} requires an OAuth connection: the client asks the person to sign in at ${base}`;
  if (changesWorkspace(access) || !env().CONNECTOR_ACCEPT_USE_KEYS) return `${connect}.`;
  return (
    `${connect}. A client that cannot do that sends a use key, which a person creates at ${base}/settings/access, as ` +
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

/** What to do about a rejection, for the model. */
export const nextStep = (tool: Tool): string =>
  changesWorkspace(tool.access)
    ? "Next: continue with the reading tools. Call this tool again only after the person has signed in to connect " +
      "this client."
    : "Next: ask the person to sign in, or continue with the tools that need no credential (sample_rows, " +
      "get_table_schema). For details, call get_access_instructions.";
