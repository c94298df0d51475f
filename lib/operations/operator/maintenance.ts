import { z } from "zod";
import {
  MAINTENANCE_MESSAGE,
  type Maintenance,
  RETRY_AFTER_SECONDS,
  readMaintenance,
  removeMaintenance,
  writeMaintenance,
} from "@/lib/storage/maintenance";
import { type AuditNote, audited, OPERATOR } from "@/lib/store/audit";
import { databaseExists } from "@/lib/store/database";

const DAY_SECONDS = 86_400;

export const maintenanceSchema = z.strictObject({
  message: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .regex(/^[^\p{Cc}]*$/u, "Use a single line.")
    .default(MAINTENANCE_MESSAGE),
  retryAfter: z.coerce.number().int().min(1).max(DAY_SECONDS).default(RETRY_AFTER_SECONDS),
});

export interface FenceChange {
  maintenance: Maintenance | undefined;
  /** Why the change is not in the audit log; null when it is, or when nothing changed. */
  unaudited: string | null;
}

/**
 * Puts the maintenance mode on, or changes what it says. Works without a database, whose audit log then lacks the
 * entry.
 */
export async function raiseFence(
  { message, retryAfter }: z.output<typeof maintenanceSchema>,
  now: Date,
): Promise<FenceChange> {
  const since = (await readMaintenance())?.since ?? now;
  const maintenance = { message, retryAfterSeconds: retryAfter, since };
  await writeMaintenance(maintenance);
  const details = { state: "on", message, retry_after_seconds: retryAfter };
  return { maintenance, unaudited: await noteIfPossible({ action: "service.maintenance", details }) };
}

/** Takes the maintenance mode off. */
export async function lowerFence(): Promise<FenceChange & { stood: boolean }> {
  const stood = await removeMaintenance();
  const unaudited = stood ? await noteIfPossible({ action: "service.maintenance", details: { state: "off" } }) : null;
  return { maintenance: undefined, stood, unaudited };
}

/** An embedded database that does not exist yet is not made for this: a restore wants the folder empty. */
async function noteIfPossible(entry: AuditNote): Promise<string | null> {
  if (!databaseExists()) return "the database does not exist yet";
  try {
    await audited(OPERATOR, async (_transaction, note) => note(entry));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
