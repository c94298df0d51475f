import { z } from "zod";
import { roleSchema } from "./account";
import { auditEventSchema } from "./audit";
import { keyScopeSchema } from "./key-scope";

export const workspacePathSchema = z.strictObject({ workspace_id: z.string().describe("The workspace's UUID.") });

export const membersSchema = z
  .object({
    schema_version: z.literal("service-members.v1"),
    members: z.array(
      z.object({
        user_id: z.uuid(),
        email: z.string(),
        name: z.string().nullable(),
        role: roleSchema,
        provider: z
          .string()
          .nullable()
          .describe("The identity provider whose groups gave the membership; null if a person did."),
        joined_at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: "Members" });
export type Members = z.output<typeof membersSchema>;

export const invitationSchema = z.object({
  id: z.uuid(),
  role: roleSchema,
  email: z.string().nullable().describe("The email address the link was sent to."),
  invited_by: z.string().nullable(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

export const invitationsSchema = z
  .object({ schema_version: z.literal("service-invitations.v1"), invitations: z.array(invitationSchema) })
  .meta({ id: "Invitations" });
export type Invitations = z.output<typeof invitationsSchema>;

export const newInvitationSchema = z
  .object({
    schema_version: z.literal("service-invitation.v1"),
    invitation: invitationSchema,
    url: z.url().describe("The link, shown only once. Anyone who opens it and signs in becomes a member."),
    mailed: z.boolean(),
  })
  .meta({ id: "NewInvitation" });
export type NewInvitation = z.output<typeof newInvitationSchema>;

/** What an invitation link grants. */
export const invitedToSchema = z
  .object({
    schema_version: z.literal("service-invited-to.v1"),
    workspace: z.object({ name: z.string() }),
    role: roleSchema,
    invited_by: z.string().nullable(),
  })
  .meta({ id: "InvitedTo" });
export type InvitedTo = z.output<typeof invitedToSchema>;

export const keySchema = z.object({
  id: z.uuid(),
  kind: z.enum(["use", "live", "cli"]),
  name: z.string(),
  ends: z.string().describe("Prefix, first and last four characters; the full key is not stored."),
  created_by: z.string().nullable(),
  mine: z.boolean(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe("Accurate to a minute."),
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
  ...keyScopeSchema,
});
export type AccessKey = z.output<typeof keySchema>;

export const keysSchema = z
  .object({ schema_version: z.literal("service-keys.v1"), keys: z.array(keySchema) })
  .meta({ id: "Keys" });
export type Keys = z.output<typeof keysSchema>;

/** What a live key opens when it is created; it also opens tables that are activated later. */
export const openedSchema = z
  .array(z.object({ dataset: z.string(), table: z.string(), current_path: z.string() }))
  .describe("For a live key: the tables that it opens now. It also opens tables activated later.");

export const newKeySchema = z
  .object({
    schema_version: z.literal("service-key.v1"),
    id: z.uuid(),
    key: z.string().describe("The key, shown only once."),
    expires_at: z.iso.datetime().nullable(),
    opens: openedSchema.optional(),
  })
  .meta({ id: "NewKey" });

export const replacedKeySchema = z
  .object({
    schema_version: z.literal("service-replaced-key.v1"),
    id: z.uuid(),
    name: z.string(),
    key: z.string().describe("The new key, shown only once."),
    expires_at: z.iso.datetime().nullable(),
    replaced: z.object({ id: z.uuid(), expires_at: z.iso.datetime().describe("Until then the old key works.") }),
  })
  .meta({ id: "ReplacedKey" });

const agentSchema = z.object({
  id: z.uuid(),
  name: z.string().describe("The client's own name; not verified."),
  url: z.string().nullable().describe("The client's own home page; not verified."),
  scopes: z.array(z.string()),
  connected_by: z.string(),
  connected_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe("Accurate to a minute."),
});

export const agentsSchema = z
  .object({ schema_version: z.literal("service-agents.v1"), agents: z.array(agentSchema) })
  .meta({ id: "Agents" });
export type Agents = z.output<typeof agentsSchema>;

export const auditLogSchema = z
  .object({
    schema_version: z.literal("service-audit-log.v1"),
    events: z.array(auditEventSchema),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: "AuditLog" });
export type AuditLog = z.output<typeof auditLogSchema>;
