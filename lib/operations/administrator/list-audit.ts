import { z } from "zod";
import { operation } from "@/lib/operations/operation";
import { AUDIT_ACTIONS } from "@/lib/schemas/audit";
import { listAudit } from "@/lib/store/audit";

const FROM_SHOWN = 12;

const entrySchema = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  action: z.string(),
  actor: z.string(),
  actor_email: z.string().nullable(),
  workspace: z.uuid().nullable(),
  subject: z.string().nullable(),
  details: z.unknown(),
  from: z.string().nullable().describe("The first digits of a keyed hash of the IP address."),
});

/** The audit log, newest first. */
export const listAuditLog = operation({
  name: "list_audit_log",
  summary: "Print the audit log",
  description:
    "Prints the audit log, newest first: who changed what, when, and from where (a keyed hash of the IP address).",
  access: "operator",
  quota: "none",
  input: {
    query: z.strictObject({
      workspace: z.uuid().optional().describe("only this workspace's"),
      limit: z.int().min(1).max(10_000).default(50).describe("number of entries, 1 to 10000 (default 50)"),
    }),
  },
  output: z.array(entrySchema),
  async run({ query: { workspace, limit } }) {
    const entries = await listAudit({ workspaceId: workspace, limit });
    return entries.map(({ id, at, action, actor, actorEmail, workspaceId, subject, details, fromHash }) => ({
      id,
      at: at.toISOString(),
      action,
      actor,
      actor_email: actorEmail,
      workspace: workspaceId,
      subject,
      details,
      from: fromHash?.slice(0, FROM_SHOWN) ?? null,
    }));
  },
  cli: {
    usage: "audit",
    valueNames: { workspace: "id", limit: "n" },
    help: `\nActions: ${Object.keys(AUDIT_ACTIONS).join(", ")}.`,
    view: (entries: z.output<typeof entrySchema>[]) => ({
      tables: [
        entries.map(({ at, action, actor, actor_email, workspace, subject, from, details }) => ({
          at,
          action,
          who: actor_email ?? actor,
          workspace,
          subject,
          from,
          details: JSON.stringify(details),
        })),
      ],
    }),
  },
});
