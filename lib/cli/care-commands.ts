import type { Command } from "commander";
import { doctor, type Finding } from "@/lib/publish/doctor";
import { verifyBlobs } from "@/lib/publish/verify";
import { describeIsolation } from "@/lib/sandbox/isolation";
import { openWithAnySecret } from "@/lib/store/postgres/database";
import { acceptSecret } from "@/lib/store/sources/accept-secret";
import { describeCommands } from "./command-tree";
import { envExample } from "./env-example";
import { print, printRows, report } from "./output";

/** What only the administrator can repair. */
const LOSSES: ReadonlySet<Finding["problem"]> = new Set([
  "blob_missing",
  "blob_wrong_size",
  "key_ring_changed",
  "key_ring_damaged",
  "key_ring_missing",
  "secret_changed",
  "secret_damaged",
  "secret_missing",
  "upkeep_failing",
  "workspace_of_groups_unusable",
]);

/** `doctor`, `verify`, `settings`, `commands`. */
export function addCareCommands(program: Command): void {
  program
    .command("doctor")
    .description(
      "Checks the data folder for orphaned and missing files, and whether the server's secret and key ring are those " +
        "that the database was used with. Lists background work that fails, and workspaces in the settings of " +
        "identity providers that do not exist. Fails unless everything it finds can be removed.",
    )
    .option("--fix", "remove orphaned files older than an hour")
    .option(
      "--accept-secret",
      "use the database with the present secret from now on, or with a new one if it is missing",
    )
    .option("--sandbox", "show which limits of build sandboxes hold on this machine instead")
    .option("--json", "print JSON")
    .action(examine);
  program
    .command("verify")
    .description(
      "Verifies the SHA-256 of every stored Parquet file, and fails if one is changed or missing. Read copies that " +
        "must be rebuilt, as after an upgrade, are only counted.",
    )
    .option("--json", "print JSON")
    .action(verify);
  program
    .command("settings")
    .description("Prints every setting with its default, in the form of .env.example.")
    .action(() => void process.stdout.write(envExample()));
  program
    .command("commands")
    .description("Prints every command with its arguments and options as JSON.")
    .action(() => void process.stdout.write(`${JSON.stringify(describeCommands(program), null, 2)}\n`));
}

interface DoctorFlags {
  fix?: boolean;
  acceptSecret?: boolean;
  sandbox?: boolean;
  json?: boolean;
}

async function examine({ fix = false, acceptSecret: accept, sandbox, json }: DoctorFlags): Promise<void> {
  if (sandbox) return await examineSandbox(json);
  await openWithAnySecret();
  if (accept) await takeSecret();
  const findings = await doctor({ fix });
  if (findings.some(({ problem }) => LOSSES.has(problem))) process.exitCode = 1;
  if (findings.length === 0 && !json) process.stdout.write("nothing found\n");
  else
    printRows(
      findings.map(({ problem, subject, fixed }) => ({ problem, subject, fixed: fixed ? "removed" : "no" })),
      json,
    );
}

async function takeSecret(): Promise<void> {
  if (await acceptSecret())
    report(
      "The secret and the key ring are accepted. What was made under another secret (keys, cursors, sessions, " +
        "connections) is invalid, and credentials that were encrypted with other keys must be stored again.",
    );
  else report("The database is already used with this secret and key ring.");
}

async function examineSandbox(json: boolean | undefined): Promise<void> {
  const limits = await describeIsolation();
  printRows(
    limits.map(({ name, holds, note }) => ({ limit: name, holds: holds ? "yes" : "no", note })),
    json,
  );
}

async function verify({ json }: { json?: boolean }): Promise<void> {
  const { bad, staleCopies, ...counts } = await verifyBlobs();
  if (bad.length > 0) process.exitCode = 1;
  if (json) print({ ...counts, bad, stale_copies: staleCopies }, json);
  else print({ ...counts, bad: bad.map(({ digest, problem }) => `${digest} ${problem}`).join(", ") || "none" }, json);
  if (staleCopies.length > 0)
    report(`Read copies that this service did not write: ${staleCopies.length}. Each is rebuilt at its next use.`);
}
