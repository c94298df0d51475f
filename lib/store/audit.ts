import { UUID_PATTERN } from "@/lib/kernel/uuid";
import type { AuditAction, AuditActor } from "@/lib/schemas/audit";
import type { Prisma } from "@/prisma/generated/client";
import { database, transactionMs } from "./postgres/database";

/** Who makes a change, and from where (keyed hash of the address). */
export interface Author {
  actor: AuditActor;
  userId?: string | undefined;
  fromHash?: string | undefined;
}

/** The author of changes made by command on the machine itself. */
export const ADMINISTRATOR: Author = { actor: "operator" };

export interface AuditEntry {
  action: AuditAction;
  workspaceId?: string | undefined;
  subject?: string | undefined;
  /** What changed. Never a secret, a whole key or an address. */
  details?: Prisma.InputJsonObject | undefined;
  /** Who made the change, if the change itself created them. */
  userId?: string | undefined;
}

export type Transaction = Prisma.TransactionClient;

/** Adds an entry, written when the change is committed. */
export type AuditLog = (entry: AuditEntry) => void;

/** Makes a change and writes its audit entries in one transaction: neither is ever stored without the other. */
export async function audited<T>(
  author: Author,
  change: (transaction: Transaction, audit: AuditLog) => Promise<T>,
  { timeoutMs = transactionMs() } = {},
): Promise<T> {
  const { prisma } = await database();
  return prisma.$transaction(
    async (transaction) => {
      const entries: AuditEntry[] = [];
      const result = await change(transaction, (entry) => entries.push(entry));
      const at = new Date(); // in milliseconds, so that a page of the log can start where the previous one ended
      await transaction.auditEvent.createMany({ data: entries.map((entry) => ({ at, ...auditRow(author, entry) })) });
      return result;
    },
    { timeout: timeoutMs, maxWait: timeoutMs },
  );
}

function auditRow(
  author: Author,
  { action, workspaceId, subject, details = {}, userId }: AuditEntry,
): Prisma.AuditEventCreateManyInput {
  const { actor, fromHash = null } = author;
  return {
    action,
    actor,
    userId: author.userId ?? userId ?? null,
    fromHash,
    workspaceId: workspaceId ?? null,
    subject: subject ?? null,
    details,
  };
}

export interface AuditFilter {
  workspaceId?: string | undefined;
  /** Entries by or about this person that belong to no workspace. */
  userId?: string | undefined;
  limit: number;
  before?: { at: Date; id: string } | undefined;
}

export interface AuditRow {
  id: string;
  at: Date;
  action: AuditAction;
  actor: AuditActor;
  actorEmail: string | null;
  workspaceId: string | null;
  subject: string | null;
  subjectEmail: string | null;
  details: Record<string, unknown>;
  fromHash: string | null;
}

const SUBJECT_EMAIL = `(SELECT s.email FROM "User" s
  WHERE s.id = CASE WHEN e.subject ~ '${UUID_PATTERN}' THEN e.subject::uuid END)`;
const LIST = `SELECT e.id, e.at, e.action, e.actor, u.email AS "actorEmail", e."workspaceId", e.subject,
  ${SUBJECT_EMAIL} AS "subjectEmail", e.details, e."fromHash"
  FROM "AuditEvent" e LEFT JOIN "User" u ON u.id = e."userId"
  WHERE ($1::uuid IS NULL OR e."workspaceId" = $1) AND ($2::uuid IS NULL OR ((e."userId" = $2 OR e.subject = $2::text)
    AND e."workspaceId" IS NULL))
    AND ($3::timestamptz IS NULL OR (e.at, e.id) < ($3, $4::uuid)) ORDER BY e.at DESC, e.id DESC LIMIT $5`;

/** Entries of the audit log, newest first. */
export async function listAudit({ workspaceId, userId, limit, before }: AuditFilter): Promise<AuditRow[]> {
  const { pool } = await database();
  const { rows } = await pool.query<AuditRow>(LIST, [
    workspaceId ?? null,
    userId ?? null,
    before?.at ?? null,
    before?.id ?? null,
    limit,
  ]);
  return rows;
}
