import type { Command } from "commander";
import { revokeUseKey } from "@/lib/access/use-keys";
import { isUuid } from "@/lib/kernel/uuid";
import { createKeyAsOperator, listKeysAsOperator, newOperatorKeySchema } from "@/lib/operations/operator/keys";
import { checked, print, printRows } from "./output";

const CREATE_HELP = `
A use key reads whole public tables and the tables of its workspace. A live key is the older kind, for the hosted
tables of a workspace with an active subscription; the public routes reject it.

  parquetry key create --email you@example.com                       in the person's personal workspace; the account \
is made when missing
  parquetry key create --workspace 6d6f0a52-… --email you@example.com in a workspace where the person is a member, \
gone when they leave
  parquetry key create --workspace 6d6f0a52-… --kind live             of the workspace as such`;

/** `key create`, `key list`, `key revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program
    .command("key")
    .description("Manages keys, which read whole public tables and the tables of their own workspace.");
  key
    .command("create")
    .description("Creates a key and prints it. It is shown only once.")
    .option("--email <email>", "the person the key belongs to")
    .option("--workspace <id>", "the workspace the key belongs to")
    .option("--kind <kind>", "use or live (default use)")
    .option("--name <name>", "a name for the key")
    .option("--expires <days>", "days until the key expires, such as 90d")
    .option("--json", "print JSON")
    .addHelpText("after", CREATE_HELP)
    .action(async ({ json, ...options }: { json?: boolean }) =>
      print(await createKeyAsOperator(checked(newOperatorKeySchema, options), new Date()), json),
    );
  key
    .command("list")
    .description("Lists keys with their first and last characters, names and times.")
    .option("--email <email>", "only this person's keys")
    .option("--workspace <id>", "only this workspace's")
    .option("--json", "print JSON")
    .action(async ({ json, ...filter }: { email?: string; workspace?: string; json?: boolean }) =>
      printRows(await listKeysAsOperator(filter), json),
    );
  key
    .command("revoke <id>")
    .description("Revokes a key permanently. Takes effect on its next request.")
    .action(async (id: string) => {
      if (!isUuid(id) || !(await revokeUseKey(id)))
        throw new Error(`Unknown key: ${id}. List keys with: parquetry key list`);
      process.stdout.write("revoked\n");
    });
}
