import { ACCESS, type Actor } from "@/lib/access/access-table";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/env";
import { type Failure, fail } from "@/lib/errors";
import { type ConnectorPath, resourceAt } from "@/lib/oauth/server-metadata";
import type { Tool } from "./tool";
import { READ_SCOPE } from "./tools";

interface Challenge {
  error?: "invalid_token" | "insufficient_scope";
  description?: string;
}

/**
 * The WWW-Authenticate of a refusal: the scopes are those that the caller has and the one that is needed, so that
 * asking for them loses none.
 */
export function challenge(
  { baseUrl, agent }: Context,
  path: ConnectorPath,
  { error, description }: Challenge = {},
): string {
  const scopes = new Set([READ_SCOPE, ...(agent?.scopes ?? [])]);
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

function actorOf({ key, agent }: Context): Actor {
  if (agent) return agent.kind === "device" ? "device" : "connection";
  return key ? "use_key" : "anonymous";
}

/** Why the caller may not use the tool, by the access table and the connection's scopes; undefined where they may. */
export function refusalOf(tool: Tool, ctx: Context): Failure | undefined {
  if (ctx.agent && !ctx.agent.scopes.includes(READ_SCOPE))
    return fail("insufficient_scope", { message: scopeText(tool) });
  const cell = ACCESS[tool.access].cells[actorOf(ctx)];
  if (cell === "key_missing") return fail("key_missing", { message: missingText(tool, ctx.baseUrl) });
  if (cell === "key_wrong_type") return fail("key_wrong_type", { message: wrongText(tool, ctx.baseUrl) });
  return undefined;
}

const scopeText = ({ name }: Tool): string =>
  `${name} needs the scope ${READ_SCOPE}, which the person's consent did not include: connect again and ask for it.`;

function missingText({ name, access }: Tool, base: string): string {
  const connect = `${name} needs an OAuth connection: the client signs its person in at ${base} and asks them`;
  if (access === "connector_change" || !env().CONNECTOR_ACCEPT_USE_KEYS) return `${connect}.`;
  return (
    `${connect}. A client that cannot do so takes a use key, which a person makes at ${base}/settings/access, as ` +
    "Authorization: Bearer svc_use_…."
  );
}

const wrongText = ({ name }: Tool, base: string): string =>
  `${name} changes a workspace, which a use key cannot: it needs an OAuth connection in place of the key. ` +
  "Nothing is lost: the first query_table of a dataset with this key connects it too, and " +
  `${base}/settings/access lists what is connected.`;

/** What to do about a refusal, for the model. */
export const nextStep = (tool: Tool): string =>
  tool.access === "connector_change"
    ? "Next: go on with the reading tools; call this one again only after the person has connected this client " +
      "by signing in."
    : "Next: ask the person to sign in, or go on with the tools that need no credential (sample_rows, " +
      "get_table_schema); get_access_instructions tells more.";
