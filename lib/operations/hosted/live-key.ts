import type { z } from "zod";
import { fail } from "@/lib/kernel/errors";
import { hostedPaths } from "@/lib/operations/datasets/activation-receipts";
import type { openedSchema } from "@/lib/schemas/workspace";
import { openedTables } from "@/lib/store/datasets/activations";
import type { Reader } from "@/lib/store/datasets/readable";
import { hasActiveSubscription } from "@/lib/store/people/subscription";

/** Fails with subscription_inactive: a live key of such a workspace would open nothing. */
export async function requireSubscription(workspaceId: string, now: Date): Promise<void> {
  if (await hasActiveSubscription(workspaceId, now)) return;
  throw fail("subscription_inactive", {
    message: "The workspace has no active subscription, so its live keys are rejected.",
    fix: "Renew the subscription first.",
  });
}

/** The tables that live keys of a workspace, or one limited to some datasets, open at the moment. */
export async function openedBy(reader: Reader): Promise<z.output<typeof openedSchema>> {
  const tables = await openedTables(reader);
  return tables.map(({ dataset, table, hostedId }) => ({
    ...{ dataset, table },
    current_path: hostedPaths(hostedId).current_path,
  }));
}
