import type { Command } from "commander";
import { z } from "zod";
import { AUDIT_ACTIONS } from "@/lib/schemas/audit";
import { type AuditRow, listAudit } from "@/lib/store/audit";
import { checked, printRows } from "./output";

const schema = z.strictObject({
  workspace: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(50),
});

const FROM_SHOWN = 12;

/** `audit`. */
export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description(
      "Prints the audit log, newest first: who changed what, when, and from where (a keyed hash of the IP address).",
    )
    .option("--workspace <id>", "only this workspace's")
    .option("--limit <n>", "number of entries, 1 to 10000 (default 50)")
    .option("--json", "print JSON")
    .addHelpText("after", `\nActions: ${Object.keys(AUDIT_ACTIONS).join(", ")}.`)
    .action(async ({ json, ...options }: { json?: boolean }) => {
      const { workspace, limit } = checked(schema, options);
      const entries = await listAudit({ workspaceId: workspace, limit });
      printRows(json ? entries.map(asJson) : entries.map(asText), json);
    });
}

function asJson({ id, at, action, actor, actorEmail, workspaceId, subject, details, fromHash }: AuditRow) {
  return {
    id,
    at: at.toISOString(),
    action,
    actor,
    actor_email: actorEmail,
    workspace: workspaceId,
    subject,
    details,
    from: from(fromHash),
  };
}

function asText({ at, action, actor, actorEmail, workspaceId, subject, details, fromHash }: AuditRow) {
  const who = actorEmail ?? actor;
  return {
    at: at.toISOString(),
    action,
    who,
    workspace: workspaceId,
    subject,
    from: from(fromHash),
    details: JSON.stringify(details),
  };
}

const from = (hash: string | null) => hash?.slice(0, FROM_SHOWN) ?? null;
