import type { Command } from "commander";
import { type FenceChange, lowerFence, maintenanceSchema, raiseFence } from "@/lib/operations/operator/maintenance";
import { type Maintenance, readMaintenance } from "@/lib/storage/maintenance";
import { checked, print, report } from "./output";

const TEACHING = `
While the fence stands every route answers 503 in plain text with Retry-After, /readyz too; only /healthz stays 200,
so that nothing restarts the service. Requests that were running end as they would. It takes effect within half a \
second,
survives restarts, and holds for every service on this data folder. It is the file maintenance.json there: it works \
while the
database is down, and whoever cannot run this command can make or remove that file by hand.

  parquetry maintenance on --message "Moving to a new machine, back at 12:00 UTC." --retry-after 1800
  parquetry maintenance off`;

/** `maintenance on`, `maintenance off`, `maintenance status`. */
export function addMaintenanceCommands(program: Command): void {
  const maintenance = program
    .command("maintenance")
    .description("The fence that keeps everybody out during maintenance.")
    .addHelpText("after", TEACHING);
  maintenance
    .command("on")
    .description("Puts the fence up, or changes what it says.")
    .option("--message <text>", "what people are told, in one line")
    .option("--retry-after <seconds>", "when to try again, 1 to 86400; 300 when absent")
    .option("--json", "print JSON")
    .action(async ({ json, ...options }: { json?: boolean }) =>
      show(await raiseFence(checked(maintenanceSchema, options), new Date()), json),
    );
  maintenance
    .command("off")
    .description("Takes the fence down.")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => show(await lowerFence(), json));
  maintenance
    .command("status")
    .description("Says whether the fence stands, since when, and what it tells.")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => print(statusOf(await readMaintenance()), json));
}

function show({ maintenance, unaudited }: FenceChange, json: boolean | undefined): void {
  if (unaudited !== null) report(`Not in the audit log: ${unaudited}`);
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
