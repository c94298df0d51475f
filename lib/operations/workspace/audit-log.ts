import { z } from "zod";
import { membershipOf, personOf } from "@/lib/access/authorize";
import { failWith } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { type AuditLog, auditLogSchema, workspacePathSchema } from "@/lib/schemas/workspace";
import { type AuditFilter, type AuditRow, listAudit } from "@/lib/store/audit";

const FROM_DIGITS = 12;

const querySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50).describe("1 to 200."),
  cursor: z.string().max(100).optional().describe("next_cursor from the previous page."),
});
type Query = z.output<typeof querySchema>;

/** GET the changes made in a workspace. */
export const listWorkspaceEvents = operation({
  name: "list_workspace_events",
  summary: "Read a workspace's audit log",
  description:
    "For owners. Changes to keys, members, plan, secrets and visibility: who, when and from where, newest first.",
  access: "owner",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/audit" },
  input: { path: workspacePathSchema, query: querySchema },
  output: auditLogSchema,
  errors: ["invalid_limit", "invalid_cursor"],
  run: ({ query }, ctx) => page({ workspaceId: membershipOf(ctx).workspaceId }, query),
});

/** GET the changes made to one's own account. */
export const listAccountEvents = operation({
  name: "list_account_events",
  summary: "Read your audit log",
  description: "Changes to your account: passwords, sessions, linked identities. Newest first.",
  access: "account",
  quota: "account",
  http: { method: "GET", path: "/api/account/audit" },
  input: { query: querySchema },
  output: auditLogSchema,
  errors: ["invalid_limit", "invalid_cursor"],
  run: ({ query }, ctx) => page({ userId: personOf(ctx).userId }, query),
});

async function page(filter: Omit<AuditFilter, "limit" | "before">, { limit, cursor }: Query): Promise<AuditLog> {
  const rows = await listAudit({
    ...filter,
    limit: limit + 1,
    before: cursor === undefined ? undefined : readCursor(cursor),
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    schema_version: "service-audit-log.v1",
    events: shown.map(presentEvent),
    next_cursor: last && rows.length > limit ? `${last.at.toISOString()}_${last.id}` : null,
  };
}

/** In the form that `page` writes: the database may not accept a time in any other form. */
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f-]{36})$/;

function readCursor(text: string): { at: Date; id: string } {
  const [, time = "", id = ""] = CURSOR.exec(text) ?? [];
  const at = new Date(time);
  if (Number.isNaN(at.getTime()) || !isUuid(id))
    throw failWith([
      { pointer: "?cursor", code: "invalid_cursor", message: "Send next_cursor from the previous page." },
    ]);
  return { at, id };
}

const presentEvent = ({
  id,
  at,
  action,
  actor,
  actorEmail,
  subject,
  subjectEmail,
  details,
  fromHash,
}: AuditRow): AuditLog["events"][number] => ({
  id,
  at: at.toISOString(),
  action,
  actor,
  actor_email: actorEmail,
  subject,
  subject_email: subjectEmail,
  details,
  from: fromHash?.slice(0, FROM_DIGITS) ?? null,
});
