import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf, personOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { keyNameSchema, createKey as make, readerWith, replaceKey as replace, scopeOf } from "@/lib/access/use-keys";
import { fail, failWith } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { openedBy, requireSubscription } from "@/lib/operations/hosted/live-key";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema } from "@/lib/schemas/account";
import { scopeDatasetsSchema, scopePermissionsSchema } from "@/lib/schemas/key-scope";
import { type Keys, keysSchema, newKeySchema, replacedKeySchema, workspacePathSchema } from "@/lib/schemas/workspace";
import { datasetsWithIds } from "@/lib/store/datasets/readable";
import { listKeys as findKeys, renameKey as rename, revokeKey as revoke } from "@/lib/store/people/keys";

const LIVE_MAX = 100;
const createBodySchema = z.strictObject({
  name: keyNameSchema,
  kind: z.enum(["use", "live"]).default("use").describe("live: for the hosted table API; created by owners."),
  expires_at: z.iso
    .datetime({ error: "Send a timestamp in UTC, such as 2027-01-31T23:59:59Z." })
    .nullable()
    .optional()
    .describe("When the key expires. Default: never."),
  datasets: scopeDatasetsSchema
    .optional()
    .describe("Slugs of the only datasets that the key reads. Default: all that the workspace may read."),
  permissions: scopePermissionsSchema
    .optional()
    .describe("For a use key: read (query) or download (whole files). Default: both."),
});
const keyPathSchema = workspacePathSchema.extend({ key_id: z.string().describe("The key's UUID.") });

/** GET the keys of a workspace: one's own, or everybody's for owners. */
export const listKeys = operation({
  name: "list_keys",
  summary: "List keys",
  description:
    "Members see their own keys and the workspace's keys; owners see all. Only the prefix and the first and last " +
    "characters of a key are returned.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/keys" },
  input: { path: workspacePathSchema },
  output: keysSchema,
  async run(_input, ctx): Promise<Keys> {
    const { workspaceId, userId, role } = membershipOf(ctx);
    const keys = await findKeys({ workspaceId });
    const seen = keys.filter((key) => role === "owner" || key.userId === userId || key.userId === null);
    const scoped = [...new Set(seen.flatMap(({ datasetIds }) => datasetIds))];
    const named = scoped.length === 0 ? [] : await datasetsWithIds(scoped, workspaceId);
    const slugs = new Map(named.map(({ id, slug }) => [id, slug]));
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
        datasets:
          key.datasetIds.length === 0 ? null : key.datasetIds.map((id) => ({ id, slug: slugs.get(id) ?? null })),
        permissions: key.permissions,
      })),
    };
  },
});

/** POST a name to create a use key or a live key, which is shown only here. */
export const createKey = operation({
  name: "create_key",
  summary: "Create a key",
  description:
    "Creates a use key (API key) for the signed-in person in this workspace. It reads any public dataset and the " +
    "workspace's own, or only those that `datasets` names, and may query, download, or both. " +
    "With kind live, owners of a workspace with an active subscription create a key of the workspace itself, which " +
    "opens the tables that it activated on the hosted table API. The key is shown only in this response.",
  access: "member",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/keys", status: 201 },
  input: { path: workspacePathSchema, body: createBodySchema },
  output: newKeySchema,
  errors: ["invalid_value", "conflict", "insufficient_scope", "subscription_inactive"],
  async run({ body }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const isLive = body.kind === "live";
    if (isLive) await requireLiveKey(ctx);
    if (isLive && body.permissions)
      throw failWith([
        {
          pointer: "/permissions",
          code: "invalid_value",
          message: "A live key only downloads hosted tables. Leave permissions out.",
        },
      ]);
    const scope = await scopeOf(body, workspaceId);
    const userId = isLive ? null : personOf(ctx).userId;
    const expiresAt = body.expires_at ? new Date(body.expires_at) : null;
    if (expiresAt && expiresAt <= ctx.now())
      throw failWith([
        {
          pointer: "/expires_at",
          code: "invalid_value",
          message: "The expiry is in the past. Choose a later time.",
        },
      ]);
    const { id, key } = await make(
      { kind: body.kind, name: body.name, workspaceId, userId, expiresAt, scope, most: LIVE_MAX },
      authorOf(ctx),
    );
    return {
      ...{ schema_version: "service-key.v1" as const, id, key, expires_at: expiresAt?.toISOString() ?? null },
      ...(isLive && { opens: await openedBy(readerWith(scope, workspaceId)) }),
    };
  },
});

/** The workspace's own keys are created by its owners, as long as they would open anything. */
async function requireLiveKey(ctx: Context): Promise<void> {
  const { workspaceId, role } = membershipOf(ctx);
  if (role !== "owner")
    throw fail("insufficient_scope", { message: "Only an owner of the workspace can create live keys." });
  await requireSubscription(workspaceId, ctx.now());
}

/** DELETE a key: revokes it permanently. */
export const revokeKey = operation({
  name: "revoke_key",
  summary: "Revoke a key",
  description:
    "Permanent; takes effect on the key's next request. Members can revoke their own keys; owners can revoke any " +
    "key in the workspace.",
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

const renameBodySchema = z.strictObject({ name: keyNameSchema });

/** PATCH a key's name. */
export const renameKey = operation({
  name: "rename_key",
  summary: "Rename a key",
  description:
    "Changes only the name; the key keeps working. Members can rename their own keys; owners can rename any key in " +
    "the workspace.",
  access: "member",
  quota: "account",
  http: { method: "PATCH", path: "/api/account/workspaces/{workspace_id}/keys/{key_id}" },
  input: { path: keyPathSchema, body: renameBodySchema },
  output: doneSchema,
  errors: ["invalid_value"],
  async run({ path, body }, ctx) {
    const { workspaceId, userId, role } = membershipOf(ctx);
    const which = { id: path.key_id, workspaceId, ...(role !== "owner" && { userId }) };
    if (!isUuid(path.key_id) || !(await rename(which, body.name, authorOf(ctx)))) throw fail("not_found");
    return done("renamed");
  },
});

const HOUR_MS = 3_600_000;

const replaceBodySchema = z.strictObject({
  keep_hours: z
    .int()
    .min(1)
    .max(168)
    .default(24)
    .describe("Hours for which the replaced key keeps working, unless it expires earlier."),
});

/** POST to replace a key with a new one, while the old one keeps working for some hours. */
export const replaceKey = operation({
  name: "replace_key",
  summary: "Replace a key",
  description:
    "Creates a key with the same name, scope and lifetime, shown only in this response, and lets the old one expire, " +
    "so that programs can switch in the meantime. To end the old key at once, revoke it. Members can replace their " +
    "own keys; owners can replace the workspace's live keys.",
  access: "member",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/keys/{key_id}/replacement", status: 201 },
  input: { path: keyPathSchema, body: replaceBodySchema },
  output: replacedKeySchema,
  errors: ["invalid_value", "conflict", "insufficient_scope", "subscription_inactive"],
  async run({ path, body }, ctx) {
    const { workspaceId, userId } = membershipOf(ctx);
    if (!isUuid(path.key_id)) throw fail("not_found");
    const keys = await findKeys({ workspaceId });
    const old = keys.find(({ id }) => id === path.key_id);
    if (!old || (old.userId !== null && old.userId !== userId)) throw fail("not_found");
    if (old.kind === "live") await requireLiveKey(ctx);
    const now = ctx.now();
    const times = { now, until: new Date(now.getTime() + body.keep_hours * HOUR_MS), most: LIVE_MAX };
    const replacement = await replace(
      { id: old.id, kind: old.kind, workspaceId, userId: old.userId },
      times,
      authorOf(ctx),
    );
    if (!replacement) throw fail("not_found");
    return {
      schema_version: "service-replaced-key.v1" as const,
      id: replacement.id,
      name: old.name,
      key: replacement.key,
      expires_at: replacement.expiresAt?.toISOString() ?? null,
      replaced: { id: old.id, expires_at: replacement.oldExpiresAt.toISOString() },
    };
  },
});
