import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf } from "@/lib/access/authorize";
import { fail } from "@/lib/kernel/errors";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema } from "@/lib/schemas/account";
import {
  newSecretSchema,
  type Secrets,
  secretNameSchema,
  secretsSchema,
  secretValueSchema,
} from "@/lib/schemas/secret";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import { removeSecret, secretsOf, storeSecret, storeSecretAnew } from "@/lib/vault/secrets";

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

/** PUT a new value in the place of a source credential's. */
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

/** What can be no name is no secret's. */
function nameIn({ secret_name: name }: z.output<typeof secretPathSchema>): string {
  if (!secretNameSchema.safeParse(name).success) throw fail("not_found");
  return name;
}
