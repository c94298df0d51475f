import { z } from "zod";
import { createKey, createUseKey, expirySchema, keyNameSchema } from "@/lib/access/use-keys";
import { OPERATOR } from "@/lib/store/audit";
import { listKeys } from "@/lib/store/keys";
import { findMembership } from "@/lib/store/workspaces";
import { personAt } from "./people";
import { workspaceWith } from "./workspaces";

export const newOperatorKeySchema = z
  .strictObject({
    kind: z.enum(["use", "live"]).default("use"),
    email: z.email().toLowerCase().optional(),
    workspace: z.string().optional(),
    name: keyNameSchema.optional(),
    expires: expirySchema,
  })
  .refine(({ email, workspace }) => email !== undefined || workspace !== undefined, {
    path: ["email"],
    message: "Missing owner. Give --email for a person, or --workspace for a workspace.",
  })
  .refine(({ kind, workspace }) => kind === "use" || workspace !== undefined, {
    path: ["workspace"],
    message: "Missing workspace. A live key belongs to a workspace. Give --workspace ID.",
  });

/**
 * Makes a key: a person's, in their personal workspace or in one that they are a member of, or one of the workspace as
 * such. Returned this once.
 */
export async function createKeyAsOperator(input: z.output<typeof newOperatorKeySchema>, now: Date) {
  const { kind, email, workspace, expires, name = `${kind} key` } = input;
  if (workspace === undefined) return await createUseKey({ email: email ?? "", name, expires }, now);
  const { id: workspaceId } = await workspaceWith(workspace);
  const userId = email === undefined ? null : await memberWith(email, workspaceId);
  const expiresAt = expires === undefined ? null : new Date(now.getTime() + expires);
  const { id, key } = await createKey({ kind, name, workspaceId, userId, expiresAt }, OPERATOR);
  return { id, key, expires_at: expiresAt?.toISOString() ?? null };
}

/** A person's key is refused where they are no member. */
async function memberWith(email: string, workspaceId: string): Promise<string> {
  const { id } = await personAt(email);
  if (!(await findMembership(id, workspaceId)))
    throw new Error(
      `${email} is not a member of the workspace. First run: parquetry member add ${workspaceId} ${email}`,
    );
  return id;
}

/** What may be shown of keys again: of a person, of a workspace, or of all. */
export async function listKeysAsOperator({ email, workspace }: { email?: string; workspace?: string }) {
  const workspaceId = workspace === undefined ? undefined : (await workspaceWith(workspace)).id;
  const keys = await listKeys({ email: email?.toLowerCase(), workspaceId });
  return keys.map((key) => ({
    id: key.id,
    name: key.name,
    email: key.email,
    workspace: key.workspaceId,
    key: `svc_${key.kind}_${key.first4}…${key.last4}`,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }));
}
