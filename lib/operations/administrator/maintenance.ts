import { z } from "zod";
import { operation } from "@/lib/operations/operation";
import {
  MAINTENANCE_MESSAGE,
  type Maintenance,
  RETRY_AFTER_SECONDS,
  readMaintenance,
  removeMaintenance,
  writeMaintenance,
} from "@/lib/storage/maintenance";
import { ADMINISTRATOR, type AuditEntry, audited } from "@/lib/store/audit";
import { databaseExists } from "@/lib/store/postgres/database";

const DAY_SECONDS = 86_400;

const stateSchema = z.strictObject({
  state: z.enum(["on", "off"]),
  since: z.iso.datetime().nullable().optional(),
  message: z.string().optional(),
  retry_after_seconds: z.int().optional(),
});
type State = z.output<typeof stateSchema>;

const stateOf = (maintenance: Maintenance | undefined): State =>
  maintenance
    ? {
        state: "on",
        since: maintenance.since?.toISOString() ?? null,
        message: maintenance.message,
        retry_after_seconds: maintenance.retryAfterSeconds,
      }
    : { state: "off" };

const changeSchema = z.strictObject({
  maintenance: stateSchema,
  unaudited: z.string().nullable().describe("Why the change is not in the audit log; null if it is."),
});
type Change = z.output<typeof changeSchema>;

const PRINTED = {
  result: ({ maintenance }: Change) => maintenance,
  warning: ({ unaudited }: Change) => (unaudited === null ? undefined : `Not recorded in the audit log: ${unaudited}`),
};

/** Turns maintenance mode on, or changes its message. Works without a database; the audit log then lacks the entry. */
export const turnOnMaintenance = operation({
  name: "turn_on_maintenance",
  summary: "Turn maintenance mode on",
  description: "Turns maintenance mode on, or changes its message.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      message: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .regex(/^[^\p{Cc}]*$/u, "Use a single line.")
        .default(MAINTENANCE_MESSAGE)
        .describe("the message for visitors, on one line"),
      retry_after: z
        .int()
        .min(1)
        .max(DAY_SECONDS)
        .default(RETRY_AFTER_SECONDS)
        .describe("seconds until clients should retry, 1 to 86400 (default 300)"),
    }),
  },
  output: changeSchema,
  async run({ body: { message, retry_after } }, ctx) {
    const since = (await readMaintenance())?.since ?? ctx.now();
    const maintenance = { message, retryAfterSeconds: retry_after, since };
    await writeMaintenance(maintenance);
    const details = { state: "on", message, retry_after_seconds: retry_after };
    return {
      maintenance: stateOf(maintenance),
      unaudited: await auditIfPossible({ action: "service.maintenance", details }),
    };
  },
  cli: { usage: "maintenance on", valueNames: { message: "text", retry_after: "seconds" }, ...PRINTED },
});

/** Turns maintenance mode off. */
export const turnOffMaintenance = operation({
  name: "turn_off_maintenance",
  summary: "Turn maintenance mode off",
  description: "Turns maintenance mode off.",
  access: "operator",
  quota: "none",
  input: {},
  output: changeSchema,
  async run() {
    const wasOn = await removeMaintenance();
    const entry = { action: "service.maintenance" as const, details: { state: "off" } };
    return { maintenance: stateOf(undefined), unaudited: wasOn ? await auditIfPossible(entry) : null };
  },
  cli: { usage: "maintenance off", ...PRINTED },
});

/** The current state of the mode. */
export const showMaintenance = operation({
  name: "show_maintenance",
  summary: "Show maintenance mode",
  description: "Shows whether maintenance mode is on, since when, and its message.",
  access: "operator",
  quota: "none",
  input: {},
  output: stateSchema,
  run: async () => stateOf(await readMaintenance()),
  cli: { usage: "maintenance status" },
});

/**
 * An embedded database that does not exist yet is not created just for this: a restore requires the folder to be empty.
 */
async function auditIfPossible(entry: AuditEntry): Promise<string | null> {
  if (!databaseExists()) return "the database does not exist yet";
  try {
    await audited(ADMINISTRATOR, async (_transaction, note) => note(entry));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
