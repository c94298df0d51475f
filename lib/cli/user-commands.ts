import type { Command } from "commander";
import { z } from "zod";
import { deleteUser, linkFor, listUsers, setUserDisabled, showUser } from "@/lib/operations/operator/people";
import { checked, print, printRows } from "./output";

const LINK_HELP = `
Give the link only to that person. A reset link, valid for an hour, lets anyone who opens it set the password; a
verify link, valid for a day, verifies the email address. Each works once. The audit log records that a link was
created, not the link itself.

  parquetry user link you@example.com
  parquetry user link you@example.com --to verify`;

const linkSchema = z.strictObject({
  to: z
    .enum(["reset", "verify"])
    .transform((to) => (to === "reset" ? ("reset_password" as const) : ("verify_email" as const))),
});

interface Json {
  json?: boolean;
}

/** `user list`, `show`, `link`, `disable`, `enable`, `delete`. */
export function addUserCommands(program: Command): void {
  const user = program.command("user").description("Manages people with an account.");
  const command = (usage: string, description: string) =>
    user.command(usage).description(description).option("--json", "print JSON");
  command("list", "Lists all people by email address.").action(async ({ json }: Json) =>
    printRows(await listUsers(), json),
  );
  command("show <email>", "Shows a person: sign-in methods, sessions and workspaces.").action(show);
  command(
    "link <email>",
    "Prints a link to reset a person's password or verify their email address, for services without email.",
  )
    .option("--to <what>", "reset (the password) or verify (the email address)", "reset")
    .addHelpText("after", LINK_HELP)
    .action(async (email: string, { to, json }: Json & { to: string }) =>
      print(await linkFor(email, checked(linkSchema, { to }).to, new Date()), json),
    );
  command(
    "disable <email>",
    "Disables a person's account: sessions end and keys are rejected from the next request. Nothing is deleted.",
  ).action(async (email: string, { json }: Json) => print(await setUserDisabled(email, true), json));
  command("enable <email>", "Enables a disabled account. Keys work again; the person must sign in again.").action(
    async (email: string, { json }: Json) => print(await setUserDisabled(email, false), json),
  );
  command(
    "delete <email>",
    "Permanently deletes a person and the workspaces that have no other members. Lists what will be deleted; " +
      "deletes it with --yes.",
  )
    .option("--yes", "delete")
    .action(remove);
}

async function show(email: string, { json }: Json): Promise<void> {
  const { workspaces, sessions, identities, ...person } = await showUser(email, new Date());
  if (json) {
    print({ ...person, identities, sessions, workspaces }, json);
    return;
  }
  print(
    {
      ...person,
      identities: identities.join(", ") || "none",
      sessions: sessions.length,
      workspaces: workspaces.length,
    },
    json,
  );
  for (const rows of [workspaces, sessions]) {
    if (rows.length === 0) continue;
    process.stdout.write("\n");
    printRows(rows, json);
  }
}

async function remove(email: string, { yes = false, json }: Json & { yes?: boolean }): Promise<void> {
  const { workspaces, ...result } = await deleteUser(email, yes);
  if (!yes) {
    process.exitCode = 1;
    process.stderr.write(
      "Nothing was deleted. This permanently deletes the account, its sessions and keys, and the workspaces below. " +
        "Confirm with --yes.\n",
    );
  }
  print({ ...result, workspaces: json ? workspaces : workspaces.join(", ") || "none" }, json);
}
