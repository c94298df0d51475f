import { oauthAddresses } from "@/lib/auth/oauth/server-metadata";
import { env } from "@/lib/env";
import { type Failure, fail } from "@/lib/errors";
import { ACCESS, type Actor } from "@/lib/operations/access";
import type { Context } from "@/lib/operations/operation";
import type { Tool } from "./tool";
import { READ_SCOPE } from "./tools";

interface Challenge {
  error?: "invalid_token";
  description?: string;
}

/** The WWW-Authenticate of a refusal. */
export function challenge(base: string, { error, description }: Challenge = {}): string {
  const parts = [`resource_metadata="${oauthAddresses(base).resourceMetadata}"`, `scope="${READ_SCOPE}"`];
  if (error) parts.push(`error="${error}"`);
  if (description) parts.push(`error_description="${description.replaceAll(/["\\]/g, "'")}"`);
  return `Bearer ${parts.join(", ")}`;
}

/** ChatGPT asks its person to sign in when a result carries the challenge, and gives up at a bare 401. */
export const readsChallengeInResult = (userAgent: string | null): boolean => /openai|chatgpt/i.test(userAgent ?? "");

const actorOf = ({ key }: Context): Actor => (key ? "use_key" : "anonymous");

/** Why the caller may not use the tool, by the access table; undefined where they may. */
export function refusalOf(tool: Tool, ctx: Context): Failure | undefined {
  const cell = ACCESS[tool.access].cells[actorOf(ctx)];
  if (cell === "key_missing") return fail("key_missing", { message: missingText(tool, ctx.baseUrl) });
  if (cell === "key_wrong_type") return fail("key_wrong_type", { message: wrongText(tool, ctx.baseUrl) });
  return undefined;
}

function missingText({ name, access }: Tool, base: string): string {
  if (access === "connector_change")
    return `${name} changes a workspace, so it needs an OAuth connection of its person, which this service does not offer yet.`;
  if (!env().CONNECTOR_ACCEPT_USE_KEYS) return `${name} needs an OAuth connection, which this service does not offer yet, and it takes no use keys.`;
  return `${name} needs a use key. A person makes one at ${base}/settings/access and puts it into this connector's settings as Authorization: Bearer svc_use_….`;
}

const wrongText = ({ name }: Tool, base: string): string =>
  `${name} changes a workspace, which a use key cannot: it needs an OAuth connection, which this service does not offer yet. Nothing is lost: the first query_table of a dataset with this key connects it too, and ${base}/settings/access lists what is connected.`;

/** What to do about a refusal, for the model. */
export const nextStep = (tool: Tool): string =>
  tool.access === "connector_change"
    ? "Next: go on with the reading tools; do not call this one again."
    : "Next: tell the person, or go on with the tools that need no credential (sample_rows, get_table_schema); get_access_instructions tells more.";
