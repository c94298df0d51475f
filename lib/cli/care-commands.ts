import type { Command } from "commander";
import { doctor } from "@/lib/publish/doctor";
import { verifyBlobs } from "@/lib/publish/verify";
import { envExample } from "./env-example";

/** `doctor`, `verify`, `settings`. */
export function addCareCommands(program: Command): void {
  program
    .command("doctor")
    .description("Looks for leftovers and losses in the data folder; --fix removes what is safe to remove.")
    .option("--fix", "remove leftovers")
    .option("--json", "print JSON")
    .action(async ({ fix, json }: { fix?: boolean; json?: boolean }) => {
      const findings = await doctor({ fix: fix ?? false });
      process.stdout.write(json ? `${JSON.stringify(findings)}\n` : `${JSON.stringify(findings, null, 2)}\n`);
    });
  program
    .command("verify")
    .description("Hashes every stored Parquet file again; fails when one differs from its digest.")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const report = await verifyBlobs();
      process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${JSON.stringify(report, null, 2)}\n`);
    });
  program
    .command("settings")
    .description("Prints every setting with its default, as .env.example.")
    .action(() => void process.stdout.write(envExample()));
}
