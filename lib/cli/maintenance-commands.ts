import type { Command } from "commander";
import { type FenceChange, lowerFence, maintenanceSchema, raiseFence } from "@/lib/operations/operator/maintenance";
import { type Maintenance, readMaintenance } from "@/lib/storage/maintenance";
import { checked, print, report } from "./output";

const TEACHING = `
In maintenance mode every route, including /readyz, returns 503 in plain text with Retry-After. Only /healthz still
returns 200, so that nothing restarts the service. Requests in progress are completed. The mode takes effect within
half a second, survives restarts, and applies to every service on this data folder. It is stored there in the file
maintenance.json, so it works while the database is down, and the file can also be created or removed by hand.

  parquetry maintenance on --message "Moving to a new machine, back at 12:00 UTC." --retry-after 1800
  parquetry maintenance off`;

/** `maintenance on`, `maintenance off`, `maintenance status`. */
export function addMaintenanceCommands(program: Command): void {
  const maintenance = program
    .command("maintenance")
    .description("Manages maintenance mode, which rejects every request.")
    .addHelpText("after", TEACHING);
  maintenance
    .command("on")
    .description("Turns maintenance mode on, or changes its message.")
    .option("--message <text>", "the message for visitors, on one line")
    .option("--retry-after <seconds>", "seconds until clients should retry, 1 to 86400 (default 300)")
    .option("--json", "print JSON")
    .action(async ({ json, ...options }: { json?: boolean }) =>
      show(await raiseFence(checked(maintenanceSchema, options), new Date()), json),
    );
  maintenance
    .command("off")
    .description("Turns maintenance mode off.")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => show(await lowerFence(), json));
  maintenance
    .command("status")
    .description("Shows whether maintenance mode is on, since when, and its message.")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => print(statusOf(await readMaintenance()), json));
}

function show({ maintenance, unaudited }: FenceChange, json: boolean | undefined): void {
  if (unaudited !== null) report(`Not recorded in the audit log: ${unaudited}`);
  print(statusOf(maintenance), json);
}

const statusOf = (maintenance: Maintenance | undefined): Record<string, unknown> =>
  maintenance
    ? {
        state: "on",
        since: maintenance.since?.toISOString() ?? null,
        message: maintenance.message,
        retry_after_seconds: maintenance.retryAfterSeconds,
      }
    : { state: "off" };
