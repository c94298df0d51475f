import { audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { Plan, Subscription } from "@/prisma/generated/client";

/** The plan and state that the payment provider's subscriptions amount to. */
export interface SubscriptionState {
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

/** The workspace of a customer of the payment provider; undefined for customers that are not ours. */
export async function findCustomersWorkspace(stripeCustomerId: string): Promise<BilledWorkspace | undefined> {
  const { prisma } = await database();
  return (await prisma.workspace.findUnique({ where: { stripeCustomerId }, select: COLUMNS })) ?? undefined;
}

/**
 * Replaces the workspace's customer `former`. Returns the customer it has afterwards, which may differ if two requests
 * ran at once.
 */
export async function storeCustomer(
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

/** Whether an event has been processed before. */
export async function isKnownEvent(id: string): Promise<boolean> {
  const { prisma } = await database();
  return (await prisma.billingEvent.findUnique({ where: { id }, select: { id: true } })) !== null;
}

/** The database's clock in microseconds, which orders requests across instances. */
export async function databaseTime(): Promise<string> {
  const { pool } = await database();
  const { rows } = await pool.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
  return rows[0]?.now ?? "";
}

export interface BillingAnswer {
  workspaceId: string;
  stripeCustomerId: string;
  /** `databaseTime()` before the payment provider was queried. */
  requestedAt: string;
  /** Undefined if the answer says nothing about the plan. */
  state: SubscriptionState | undefined;
  /** The event that caused the request. */
  event?: { id: string; kind: string } | undefined;
}

/** `replayed`: the event was processed before. `outdated`: the answer to a later request has already been applied. */
export type BillingOutcome = "changed" | "unchanged" | "replayed" | "outdated";

/**
 * Sets plan and subscription from an answer of the payment provider and records the event, in one transaction. An
 * answer requested before the one applied last changes nothing: whatever happened since has its own event and request.
 */
export function settleBilling(answer: BillingAnswer): Promise<BillingOutcome> {
  const { workspaceId, state, event } = answer;
  return audited({ actor: "billing" }, async (transaction, audit) => {
    if (event && !(await insertEvent(transaction, event))) return "replayed";
    if (!state) return "unchanged";
    const before = await lockForAnswer(transaction, answer);
    if (!before) return "outdated";
    const { plan, subscription } = state;
    await transaction.$executeRaw`UPDATE "Workspace" SET plan = ${plan}::"Plan", subscription =
      ${subscription}::"Subscription", "pastDueSince" = CASE WHEN ${subscription} = 'past_due' THEN
        COALESCE(CASE WHEN subscription = 'past_due' THEN "pastDueSince" END, ${answer.requestedAt}::timestamptz) END,
      "stripeSubscriptionId" = ${state.stripeSubscriptionId}, "billedAt" = ${answer.requestedAt}::timestamptz WHERE id
        = ${workspaceId}::uuid`;
    if (before.plan === plan && before.subscription === subscription) return "unchanged";
    const to = { plan, subscription };
    audit({
      action: "plan.changed",
      workspaceId,
      subject: workspaceId,
      details: { from: { ...before }, to, ...(event && { event: event.id }) },
    });
    return "changed";
  });
}

/** False if the event already exists. Waits for a transaction that is currently inserting it. */
async function insertEvent(transaction: Transaction, { id, kind }: { id: string; kind: string }): Promise<boolean> {
  return (
    (await transaction.$executeRaw`INSERT INTO "BillingEvent" (id, kind) VALUES (${id}, ${kind})
      ON CONFLICT (id) DO NOTHING`) === 1
  );
}

async function lockForAnswer(transaction: Transaction, { workspaceId, stripeCustomerId, requestedAt }: BillingAnswer) {
  const rows = await transaction.$queryRaw<
    { plan: Plan; subscription: Subscription | null }[]
  >`SELECT plan::text AS plan, subscription::text AS subscription
    FROM "Workspace" WHERE id = ${workspaceId}::uuid AND "stripeCustomerId" = ${stripeCustomerId}
    AND ("billedAt" IS NULL OR "billedAt" < ${requestedAt}::timestamptz) FOR NO KEY UPDATE`;
  return rows[0];
}
