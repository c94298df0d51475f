import { z } from "zod";
import {
  createKey,
  createUseKey,
  expirySchema,
  keyNameSchema,
  readerWith,
  revokeUseKey,
  scopeOf,
} from "@/lib/access/use-keys";
import { isUuid } from "@/lib/kernel/uuid";
import { openedBy, requireSubscription } from "@/lib/operations/hosted/live-key";
import { operation } from "@/lib/operations/operation";
import { scopeDatasetsSchema, scopePermissionsSchema } from "@/lib/schemas/key-scope";
import { openedSchema } from "@/lib/schemas/workspace";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { listKeys } from "@/lib/store/people/keys";
import { findMembership } from "@/lib/store/people/workspaces";
import { personAt } from "./people";
import { workspaceWith } from "./workspaces";

const newKeySchema = z
  .strictObject({
    kind: z.enum(["use", "live"]).default("use").describe("use or live (default use)"),
    email: z.email().toLowerCase().optional().describe("the person the key belongs to"),
    workspace: z.string().optional().describe("the workspace the key belongs to"),
    name: keyNameSchema.optional().describe("a name for the key"),
    expires: expirySchema.describe("days until the key expires, such as 90d"),
    datasets: scopeDatasetsSchema.optional().describe("the only datasets that it reads (default all)"),
    permissions: scopePermissionsSchema.optional().describe("read, download or both, for a use key (default both)"),
  })
  .refine(({ email, workspace }) => email !== undefined || workspace !== undefined, {
    path: ["email"],
    message: "Missing owner. Give --email for a person, or --workspace for a workspace.",
  })
  .refine(({ kind, permissions }) => kind === "use" || permissions === undefined, {
    path: ["permissions"],
    message: "A live key only downloads hosted tables. Leave --permissions out.",
  })
  .refine(({ kind, workspace }) => kind === "use" || workspace !== undefined, {
    path: ["workspace"],
    message: "Missing workspace. A live key belongs to a workspace. Give --workspace ID.",
  });

const CREATE_HELP = `
A use key reads whole public tables and the tables of its workspace. A live key is the older kind, for the hosted
tables of a workspace with an active subscription; the public routes reject it. What it opens is printed with it.

  parquetry key create --email you@example.com                       in the person's personal workspace; the account \
is created if missing
  parquetry key create --workspace 6d6f0a52-… --email you@example.com in a workspace of which the person is a member; \
revoked when they leave
  parquetry key create --email you@example.com --datasets us-flights-2001 --permissions read \
                                                                     only queries, and only this dataset
  parquetry key create --workspace 6d6f0a52-… --kind live             belongs to the workspace itself`;

/**
 * Creates a key: a person's, in their personal workspace or another of theirs, or one of the workspace itself. The key
 * is returned only here.
 */
export const issueKey = operation({
  name: "issue_key",
  summary: "Create a key",
  description: "Creates a key and prints it. It is shown only once.",
  access: "operator",
  quota: "none",
  input: { body: newKeySchema },
  output: z.strictObject({
    ...{ id: z.uuid(), key: z.string(), expires_at: z.iso.datetime().nullable() },
    opens: openedSchema.optional(),
  }),
  async run({ body: { kind, email, workspace, expires, datasets, permissions, name = `${kind} key` } }, ctx) {
    if (workspace === undefined)
      return await createUseKey({ email: email ?? "", name, expires, scope: { datasets, permissions } }, ctx.now());
    const { id: workspaceId } = await workspaceWith(workspace);
    if (kind === "live") await requireSubscription(workspaceId, ctx.now());
    const userId = email === undefined ? null : await memberWith(email, workspaceId);
    const expiresAt = expires === undefined ? null : new Date(ctx.now().getTime() + expires);
    const scope = await scopeOf({ datasets, permissions }, workspaceId);
    const { id, key } = await createKey({ kind, name, workspaceId, userId, expiresAt, scope }, ADMINISTRATOR);
    const opens = kind === "live" ? { opens: await openedBy(readerWith(scope, workspaceId)) } : {};
    return { id, key, expires_at: expiresAt?.toISOString() ?? null, ...opens };
  },
  cli: { usage: "key create", valueNames: { workspace: "id", expires: "days" }, help: CREATE_HELP },
});

/** A person's key is rejected if they are not a member. */
async function memberWith(email: string, workspaceId: string): Promise<string> {
  const { id } = await personAt(email);
  if (!(await findMembership(id, workspaceId)))
    throw new Error(
      `${email} is not a member of the workspace. First run: parquetry member add ${workspaceId} ${email}`,
    );
  return id;
}

const time = z.iso.datetime().nullable();

/** The displayable parts of keys: of a person, of a workspace, or of all. */
export const listAllKeys = operation({
  name: "list_all_keys",
  summary: "List keys",
  description: "Lists keys with their first and last characters, names and times.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      email: z.string().optional().describe("only this person's keys"),
      workspace: z.string().optional().describe("only this workspace's"),
    }),
  },
  output: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      email: z.string().nullable(),
      workspace: z.uuid(),
      key: z.string(),
      created_at: z.iso.datetime(),
      last_used_at: time,
      expires_at: time,
      revoked_at: time,
    }),
  ),
  async run({ body: { email, workspace } }) {
    const workspaceId = workspace === undefined ? undefined : (await workspaceWith(workspace)).id;
    const keys = await listKeys({ email: email?.toLowerCase(), workspaceId });
    return keys.map(presentKey);
  },
  cli: { usage: "key list", valueNames: { workspace: "id" } },
});

const presentKey = (key: Awaited<ReturnType<typeof listKeys>>[number]) => ({
  id: key.id,
  name: key.name,
  email: key.email,
  workspace: key.workspaceId,
  key: `svc_${key.kind}_${key.first4}…${key.last4}`,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
});

/** Revokes any key, from its next request on. */
export const revokeAnyKey = operation({
  name: "revoke_any_key",
  summary: "Revoke a key",
  description: "Revokes a key permanently. Takes effect on its next request.",
  access: "operator",
  quota: "none",
  input: { body: z.strictObject({ id: z.string() }) },
  output: z.strictObject({ id: z.uuid(), status: z.literal("revoked") }),
  async run({ body: { id } }) {
    if (!isUuid(id) || !(await revokeUseKey(id)))
      throw new Error(`Unknown key: ${id}. List keys with: parquetry key list`);
    return { id, status: "revoked" as const };
  },
  cli: { usage: "key revoke <id>" },
});
