import { z } from "zod";

/** THE list of changes in the audit log, each with its label for people. */
export const AUDIT_ACTIONS = {
  "account.created": "Account created",
  "account.email_verified": "Email address verified",
  "account.password_set": "Password set",
  "account.renamed": "Name changed",
  "account.address_changed": "Email address changed",
  "account.disabled": "Account disabled",
  "account.enabled": "Account enabled",
  "account.deleted": "Account deleted",
  "account.link_made": "Password reset or verification link created by the administrator",
  "account.identity_linked": "Identity provider linked",
  "account.passkey_added": "Passkey added",
  "account.passkey_removed": "Passkey removed",
  "account.recovery_codes_made": "Recovery codes created",
  "account.recovery_code_used": "Sign-in confirmed with a recovery code",
  "session.started": "Signed in",
  "session.confirmed": "Sign-in confirmed with a passkey",
  "session.revoked": "Session ended",
  "session.all_revoked": "Signed out everywhere",
  "workspace.created": "Workspace created",
  "workspace.renamed": "Workspace renamed",
  "workspace.deleted": "Workspace deleted",
  "member.invited": "Invitation created",
  "member.invitation_revoked": "Invitation revoked",
  "member.joined": "Member joined",
  "member.role_changed": "Role changed",
  "member.removed": "Member removed",
  "member.kept": "Member kept as the last owner",
  "key.created": "Key created",
  "key.renamed": "Key renamed",
  "key.replaced": "Key replaced",
  "key.revoked": "Key revoked",
  "agent.connected": "Agent connected",
  "agent.revoked": "Agent disconnected",
  "device.allowed": "Device signed in",
  "device.refused": "Device denied",
  "device.revoked": "Device signed out",
  "plan.changed": "Plan changed",
  "secret.created": "Secret stored",
  "secret.replaced": "Secret replaced",
  "secret.deleted": "Secret deleted",
  "secret.used": "Secret used",
  "secret.rotated": "Secrets re-encrypted",
  "dataset.created": "Dataset created",
  "dataset.edited": "Dataset edited",
  "dataset.changed": "Built dataset changed",
  "dataset.deleted": "Dataset deleted",
  "dataset.withdrawn": "Dataset withdrawn",
  "recipe.registered": "Recipe registered",
  "run.started": "Run started",
  "run.approval_asked": "Approval requested",
  "run.approved": "Run approved",
  "run.declined": "Run declined",
  "run.cancelled": "Run cancelled",
  "table.promoted": "Table promoted",
  "table.rolled_back": "Table rolled back",
  "table.activated": "Table activated",
  "table.deactivated": "Table deactivated",
  "upload.stored": "File uploaded",
  "upload.deleted": "Upload deleted",
  "secret.hosts_changed": "Hosts of a secret changed",
  "build.policy_changed": "Approval policy changed",
  "schedule.paused": "Schedule paused",
  "schedule.resumed": "Schedule resumed",
  "watch.created": "Watch created",
  "watch.changed": "Watch changed",
  "watch.secret_replaced": "Signing secret of a webhook replaced",
  "watch.deleted": "Watch deleted",
  "view.saved": "View saved to a short link",
  "view.changed": "Saved view renamed",
  "view.deleted": "Saved view deleted",
  "dataset.connected": "Dataset connected",
  "dataset.visibility_changed": "Visibility changed",
  "version.published": "Version published",
  "version.edited": "Version edited",
  "version.withdrawn": "Version withdrawn",
  "sources.swept": "Provider's sources harvested",
  "service.maintenance": "Maintenance mode changed",
  "service.restored": "Restored from a backup",
  "service.secret_accepted": "Another secret of the server accepted",
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_ACTORS = ["person", "agent", "operator", "billing", "service"] as const;
export type AuditActor = (typeof AUDIT_ACTORS)[number];

/** One entry as it is shown. */
export const auditEventSchema = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  action: z.enum(Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]]),
  actor: z.enum(AUDIT_ACTORS),
  actor_email: z
    .string()
    .nullable()
    .describe("Who made the change; null if nobody with an account, or if the account was deleted."),
  subject: z.string().nullable().describe("The id or name of what was changed."),
  subject_email: z.string().nullable().describe("The person affected, if they still have an account."),
  details: z.record(z.string(), z.unknown()),
  from: z
    .string()
    .nullable()
    .describe(
      "The first 12 digits of a keyed hash of the IP address. Equal values mean the same address; the " +
        "address cannot be recovered.",
    ),
});
export type AuditEvent = z.output<typeof auditEventSchema>;
