import type { Command } from "commander";
import { isUuid } from "@/lib/operations/locate-table";
import { createUseKey, listUseKeys, newUseKeySchema, revokeUseKey } from "@/lib/operations/use-keys";
import { checked, print, printRows } from "./output";

/** `key create`, `key list`, `key revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("Use keys: they read whole public tables and the tables of their own workspace.");
  key
    .command("create")
    .description("Makes a use key and prints it, this once.")
    .requiredOption("--email <email>", "the person's address; the account and a personal workspace are made when missing")
    .option("--name <name>", "a name to know the key by")
    .option("--expires <days>", "days until it expires, such as 90d")
    .option("--json", "print JSON")
    .action(async ({ json, ...options }: { json?: boolean }) => print(await createUseKey(checked(newUseKeySchema, options), new Date()), json));
  key
    .command("list")
    .description("Lists keys: their ends, names and times.")
    .option("--email <email>", "only this person's")
    .option("--json", "print JSON")
    .action(async ({ email, json }: { email?: string; json?: boolean }) => printRows(await listUseKeys(email), json));
  key
    .command("revoke <id>")
    .description("Revokes a key for good.")
    .action(async (id: string) => {
      if (!isUuid(id) || !(await revokeUseKey(id))) throw new Error(`No key has the id ${id}. List them with: parquetry key list`);
      process.stdout.write("revoked\n");
    });
}
