import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf, personOf } from "@/lib/access/authorize";
import { keyNameSchema, createKey as make } from "@/lib/access/use-keys";
import { fail, failWith } from "@/lib/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema } from "@/lib/schemas/account";
import { type Keys, keysSchema, newKeySchema, workspacePathSchema } from "@/lib/schemas/workspace";
import { listKeys as findKeys, revokeKey as revoke } from "@/lib/store/keys";

const LIVE_MAX = 100;
const createBodySchema = z.strictObject({
  name: keyNameSchema,
  expires_at: z.iso
    .datetime({ error: "Send an instant, such as 2027-01-31T23:59:59Z." })
    .nullable()
    .optional()
    .describe("When the key ends; never when absent."),
});
const keyPathSchema = workspacePathSchema.extend({ key_id: z.string().describe("The key's UUID.") });

/** GET the keys of a workspace: one's own, and for owners everybody's. */
export const listKeys = operation({
  name: "list_keys",
  summary: "List keys",
  description:
    "A member sees their own keys and those of the workspace as such; an owner sees everybody's. Of the keys " +
    "themselves only the ends are known.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/keys" },
  input: { path: workspacePathSchema },
  output: keysSchema,
  async run(_input, ctx): Promise<Keys> {
    const { workspaceId, userId, role } = membershipOf(ctx);
    const keys = await findKeys({ workspaceId });
    const seen = keys.filter((key) => role === "owner" || key.userId === userId || key.userId === null);
    return {
      schema_version: "service-keys.v1",
      keys: seen.map((key) => ({
        id: key.id,
        kind: key.kind,
        name: key.name,
        ends: `svc_${key.kind}_${key.first4}…${key.last4}`,
        created_by: key.email,
        mine: key.userId === userId,
        created_at: key.createdAt.toISOString(),
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
        expires_at: key.expiresAt?.toISOString() ?? null,
        revoked_at: key.revokedAt?.toISOString() ?? null,
      })),
    };
  },
});

/** POST a name: a use key, shown this once. */
export const createKey = operation({
  name: "create_key",
  summary: "Create a use key",
  description:
    "A use key of the signed-in person in this workspace: it reads any public dataset and the workspace's own. " +
    "The reply is the only place where it is ever shown.",
  access: "member",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/keys", status: 201 },
  input: { path: workspacePathSchema, body: createBodySchema },
  output: newKeySchema,
  errors: ["invalid_value", "conflict"],
  async run({ body }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const { userId } = personOf(ctx);
    const expiresAt = body.expires_at ? new Date(body.expires_at) : null;
    if (expiresAt && expiresAt <= ctx.now())
      throw failWith([
        {
          pointer: "/expires_at",
          code: "invalid_value",
          message: "The key would be over already: choose a later time.",
        },
      ]);
    const { id, key } = await make(
      { kind: "use", name: body.name, workspaceId, userId, expiresAt, most: LIVE_MAX },
      authorOf(ctx),
    );
    return { schema_version: "service-key.v1" as const, id, key, expires_at: expiresAt?.toISOString() ?? null };
  },
});

/** DELETE a key: revokes it for good. */
export const revokeKey = operation({
  name: "revoke_key",
  summary: "Revoke a key",
  description:
    "For good, from the key's next request on. A member revokes their own keys, an owner anybody's in the workspace.",
  access: "member",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/workspaces/{workspace_id}/keys/{key_id}" },
  input: { path: keyPathSchema },
  output: doneSchema,
  async run({ path }, ctx) {
    const { workspaceId, userId, role } = membershipOf(ctx);
    const which = { id: path.key_id, workspaceId, ...(role !== "owner" && { userId }) };
    if (!isUuid(path.key_id) || !(await revoke(which, authorOf(ctx)))) throw fail("not_found");
    return done("revoked");
  },
});
