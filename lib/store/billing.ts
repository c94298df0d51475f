import type { Plan, Subscription } from "@/prisma/generated/client";
import { audited, type Transaction } from "./audit";
import { database } from "./database";

/** What the payment provider's subscriptions come to. */
export interface Standing {
  plan: Plan;
  subscription: Subscription;
  stripeSubscriptionId: string;
}

export interface BilledWorkspace {
  id: string;
  stripeCustomerId: string | null;
  stripeSubscriptionId: string | null;
  subscription: Subscription | null;
}

const COLUMNS = { id: true, stripeCustomerId: true, stripeSubscriptionId: true, subscription: true } as const;

export async function findBilled(workspaceId: string): Promise<BilledWorkspace | undefined> {
  const { prisma } = await database();
  return (await prisma.workspace.findUnique({ where: { id: workspaceId }, select: COLUMNS })) ?? undefined;
}

/** The workspace that a customer of the payment provider was made for; undefined for customers that are not ours. */
export async function findCustomersWorkspace(stripeCustomerId: string): Promise<BilledWorkspace | undefined> {
  const { prisma } = await database();
  return (await prisma.workspace.findUnique({ where: { stripeCustomerId }, select: COLUMNS })) ?? undefined;
}

/**
 * Gives the workspace a customer in the place of `former`; returns the one it has then, which is another's where two
 * asked at once.
 */
export async function keepCustomer(
  workspaceId: string,
  stripeCustomerId: string,
  former: string | null,
): Promise<string | null> {
  const { prisma } = await database();
  await prisma.workspace.updateMany({
    where: { id: workspaceId, stripeCustomerId: former },
    data: { stripeCustomerId },
  });
  return (await findBilled(workspaceId))?.stripeCustomerId ?? null;
}

/** Whether an event has been acted upon before. */
export async function isKnownEvent(id: string): Promise<boolean> {
  const { prisma } = await database();
  return (await prisma.billingEvent.findUnique({ where: { id }, select: { id: true } })) !== null;
}

/** The database's own time, in microseconds: what several instances order their questions by. */
export async function databaseTime(): Promise<string> {
  const { pool } = await database();
  const { rows } = await pool.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
  return rows[0]?.now ?? "";
}

export interface BillingAnswer {
  workspaceId: string;
  stripeCustomerId: string;
  /** `databaseTime()` before the payment provider was asked. */
  askedAt: string;
  /** Undefined when the answer says nothing about the plan. */
  standing: Standing | undefined;
  /** The event that was the reason to ask. */
  event?: { id: string; kind: string } | undefined;
}

/**
 * `replayed`: the event was acted upon before. `outdated`: a question that was asked later has been answered already.
 */
export type BillingOutcome = "changed" | "unchanged" | "replayed" | "outdated";

/**
 * Sets plan and subscription as an answer of the payment provider says, and notes the event, in one transaction.
 * An answer that was asked for before the one that stands changes nothing: whatever happened after that question has an
 * event and a question of its own.
 */
export function settleBilling(answer: BillingAnswer): Promise<BillingOutcome> {
  const { workspaceId, standing, event } = answer;
  return audited({ actor: "billing" }, async (transaction, note) => {
    if (event && !(await insertEvent(transaction, event))) return "replayed";
    if (!standing) return "unchanged";
    const before = await lockForAnswer(transaction, answer);
    if (!before) return "outdated";
    const { plan, subscription } = standing;
    await transaction.$executeRaw`UPDATE "Workspace" SET plan = ${plan}::"Plan", subscription =
      ${subscription}::"Subscription",
      "stripeSubscriptionId" = ${standing.stripeSubscriptionId}, "billedAt" = ${answer.askedAt}::timestamptz WHERE id
        = ${workspaceId}::uuid`;
    if (before.plan === plan && before.subscription === subscription) return "unchanged";
    const to = { plan, subscription };
    note({
      action: "plan.changed",
      workspaceId,
      subject: workspaceId,
      details: { from: { ...before }, to, ...(event && { event: event.id }) },
    });
    return "changed";
  });
}

/** False when it is there already; waits for whoever is inserting it at this moment. */
async function insertEvent(transaction: Transaction, { id, kind }: { id: string; kind: string }): Promise<boolean> {
  return (
    (await transaction.$executeRaw`INSERT INTO "BillingEvent" (id, kind) VALUES (${id}, ${kind})
      ON CONFLICT (id) DO NOTHING`) === 1
  );
}

async function lockForAnswer(transaction: Transaction, { workspaceId, stripeCustomerId, askedAt }: BillingAnswer) {
  const rows = await transaction.$queryRaw<
    { plan: Plan; subscription: Subscription | null }[]
  >`SELECT plan::text AS plan, subscription::text AS subscription
    FROM "Workspace" WHERE id = ${workspaceId}::uuid AND "stripeCustomerId" = ${stripeCustomerId}
    AND ("billedAt" IS NULL OR "billedAt" < ${askedAt}::timestamptz) FOR NO KEY UPDATE`;
  return rows[0];
}
