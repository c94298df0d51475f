import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf } from "@/lib/access/authorize";
import { fail, failWith } from "@/lib/kernel/errors";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema } from "@/lib/schemas/account";
import { webAddressSchema } from "@/lib/schemas/recipe-values";
import {
  newSecretSchema,
  type Secrets,
  type SecretTrial,
  secretHostsSchema,
  secretNameSchema,
  secretsSchema,
  secretTrialSchema,
  secretValueSchema,
} from "@/lib/schemas/secret";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import { hostListed } from "@/lib/sources/credential";
import { serviceConnecting } from "@/lib/sources/service-connecting";
import { SourceFailure } from "@/lib/sources/source-failure";
import { tryCredential } from "@/lib/sources/try-credential";
import { changeSecretHosts as changeHosts } from "@/lib/store/sources/secrets";
import { openSecret, removeSecret, secretsOf, storeSecret, storeSecretAnew } from "@/lib/vault/secrets";

const secretPathSchema = workspacePathSchema.extend({ secret_name: z.string().describe("The secret's name.") });

/** GET the source credentials of a workspace, without their values. */
export const listSecrets = operation({
  name: "list_secrets",
  summary: "List source credentials",
  description: "Names, kinds and times, sorted by name. Values are never returned.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/secrets" },
  input: { path: workspacePathSchema },
  output: secretsSchema,
  async run(_input, ctx): Promise<Secrets> {
    return { schema_version: "service-secrets.v1", secrets: await secretsOf(membershipOf(ctx).workspaceId) };
  },
});

/** POST a name and a value: a new source credential. */
export const createSecret = operation({
  name: "create_secret",
  summary: "Store a source credential",
  description:
    "Recipes refer to it by name; its value is never shown again. At most 100 per workspace. Returns conflict if " +
    "the name is taken; replace the credential instead.",
  access: "member",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/secrets", status: 201 },
  input: { path: workspacePathSchema, body: newSecretSchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict"],
  examples: { body: { name: "weather", kind: "header", field: "X-Api-Key", value: "the source's key" } },
  async run({ body }, ctx) {
    await storeSecret(authorOf(ctx), membershipOf(ctx).workspaceId, body, ctx.now());
    return done("stored");
  },
});

/** PUT a new value for a source credential. */
export const replaceSecret = operation({
  name: "replace_secret",
  summary: "Replace a source credential",
  description:
    "The next run uses the new value. The kind cannot be changed; delete the secret and store a new one instead.",
  access: "member",
  quota: "account",
  http: { method: "PUT", path: "/api/account/workspaces/{workspace_id}/secrets/{secret_name}" },
  input: { path: secretPathSchema, body: secretValueSchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict"],
  examples: {
    path: { secret_name: "weather" },
    body: { kind: "header", field: "X-Api-Key", value: "the source's new key" },
  },
  async run({ path, body }, ctx) {
    await storeSecretAnew(authorOf(ctx), membershipOf(ctx).workspaceId, nameIn(path), body, ctx.now());
    return done("replaced");
  },
});

/** PUT the hosts that a source credential may be sent to. */
export const changeSecretHosts = operation({
  name: "change_secret_hosts",
  summary: "Change the hosts of a source credential",
  description:
    "Recipes can use a credential only at these hosts; without any, nowhere. Only people can change them, so that " +
    "no program sends a credential where it was not meant to go.",
  access: "member",
  quota: "account",
  http: { method: "PUT", path: "/api/account/workspaces/{workspace_id}/secrets/{secret_name}/hosts" },
  input: { path: secretPathSchema, body: secretHostsSchema },
  output: doneSchema,
  errors: ["invalid_value"],
  examples: { path: { secret_name: "weather" }, body: { hosts: ["api.example.org"] } },
  async run({ path, body }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    await changeHosts(authorOf(ctx), { workspaceId, name: nameIn(path) }, [...new Set(body.hosts)]);
    return done("replaced");
  },
});

const TRIAL_MS = 10_000;
/** POST to try a source credential with one HEAD request. */
export const testSecret = operation({
  name: "test_secret",
  summary: "Test a source credential",
  description:
    "Sends one HEAD request with the credential to a URL at one of its hosts, and describes the result; no " +
    "redirect is followed and no body is read. Only people can test credentials.",
  access: "member",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/secrets/{secret_name}/test" },
  input: {
    path: secretPathSchema,
    body: z.strictObject({ url: webAddressSchema.optional().describe("Default: at its first host.") }),
  },
  output: secretTrialSchema,
  errors: ["conflict", "invalid_value"],
  examples: { path: { secret_name: "weather" }, body: { url: "https://api.example.org/v1/stations" } },
  async run({ path, body }, ctx): Promise<SecretTrial> {
    const { workspaceId } = membershipOf(ctx);
    const name = nameIn(path);
    const stored = (await secretsOf(workspaceId)).find((secret) => secret.name === name);
    if (!stored) throw fail("not_found");
    const address = new URL(body.url ?? firstAddress(stored.hosts));
    if (!hostListed(stored.hosts, address))
      throw fail("conflict", {
        message: `The credential may not be sent to ${address.hostname}. List the host first.`,
      });
    const value = await openSecret(workspaceId, name, "a test by a member", ctx.now());
    const signal = AbortSignal.any([AbortSignal.timeout(TRIAL_MS), ...(ctx.signal ? [ctx.signal] : [])]);
    const credential = { name, value, hosts: stored.hosts };
    const trial = await tryCredential(credential, address, serviceConnecting(), signal).catch((error: unknown) => {
      if (!(error instanceof SourceFailure)) throw error;
      throw failWith([{ pointer: "/url", code: "invalid_value", message: error.message }]);
    });
    return { ...trial, address: address.origin + address.pathname };
  },
});

/** The root URL of the first entry that is a single host. */
function firstAddress(hosts: readonly string[]): string {
  const host = hosts.find((listed) => !listed.startsWith("*."));
  if (host !== undefined) return `https://${host}/`;
  const message =
    hosts.length === 0
      ? "The credential has no hosts. List one first."
      : "The credential's hosts are only suffixes. Send url.";
  throw fail("conflict", { message });
}

/** DELETE a source credential. */
export const deleteSecret = operation({
  name: "delete_secret",
  summary: "Delete a source credential",
  description: "For owners. Permanent; recipes that use it will fail.",
  access: "owner",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/workspaces/{workspace_id}/secrets/{secret_name}" },
  input: { path: secretPathSchema },
  output: doneSchema,
  examples: { path: { secret_name: "weather" } },
  async run({ path }, ctx) {
    await removeSecret(authorOf(ctx), membershipOf(ctx).workspaceId, nameIn(path));
    return done("deleted");
  },
});

/** A string that cannot be a name matches no secret. */
function nameIn({ secret_name: name }: z.output<typeof secretPathSchema>): string {
  if (!secretNameSchema.safeParse(name).success) throw fail("not_found");
  return name;
}
