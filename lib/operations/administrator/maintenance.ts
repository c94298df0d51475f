import { z } from "zod";
import { operation } from "@/lib/operations/operation";
import { MAINTENANCE_MESSAGE, type Maintenance, RETRY_AFTER_SECONDS } from "@/lib/storage/maintenance";
import { readMaintenance, turnMaintenanceOff, turnMaintenanceOn } from "@/lib/store/maintenance";

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
  unaudited: z
    .string()
    .nullable()
    .describe(
      "Why the change is neither in the database nor in the audit log, but only in the data folder; null if it is.",
    ),
});
type Change = z.output<typeof changeSchema>;

const PRINTED = {
  result: ({ maintenance }: Change) => maintenance,
  warning: ({ unaudited }: Change) =>
    unaudited === null
      ? undefined
      : `Not recorded in the audit log: ${unaudited}\n` +
        "The change applies to the instances with this data folder only. Repeat it once the database answers.",
};

/** Turns maintenance mode on, or changes its message. Without a database, it does so for this data folder only. */
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
    const before = await readMaintenance().catch(() => undefined);
    const since = before?.since ?? ctx.now();
    const maintenance = { message, retryAfterSeconds: retry_after, since };
    return { maintenance: stateOf(maintenance), unaudited: (await turnMaintenanceOn(maintenance, since)) ?? null };
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
    return { maintenance: stateOf(undefined), unaudited: (await turnMaintenanceOff()) ?? null };
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
