import type { Command } from "commander";
import { z } from "zod";
import { deleteUser, linkFor, listUsers, setUserDisabled, showUser } from "@/lib/operations/operator/people";
import { checked, print, printRows } from "./output";

const LINK_HELP = `
Give it to nobody but the person: a reset link, good for an hour, lets whoever opens it set the password; a verify \
link, good for
a day, proves the address. Each works once. The audit log tells that a link was made, not which.

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
  const user = program.command("user").description("People with an account.");
  const command = (usage: string, description: string) =>
    user.command(usage).description(description).option("--json", "print JSON");
  command("list", "Lists everybody by address.").action(async ({ json }: Json) => printRows(await listUsers(), json));
  command("show <email>", "Shows a person: how they sign in, where they are signed in, their workspaces.").action(show);
  command(
    "link <email>",
    "Prints a link with which a person sets their password or proves their address, for services without mail.",
  )
    .option("--to <what>", "reset (the password) or verify (the address)", "reset")
    .addHelpText("after", LINK_HELP)
    .action(async (email: string, { to, json }: Json & { to: string }) =>
      print(await linkFor(email, checked(linkSchema, { to }).to, new Date()), json),
    );
  command(
    "disable <email>",
    "Shuts a person out from their next request on: sessions end, keys are refused. Nothing is deleted.",
  ).action(async (email: string, { json }: Json) => print(await setUserDisabled(email, true), json));
  command(
    "enable <email>",
    "Lets a disabled person in again: their keys work as before, and they sign in anew.",
  ).action(async (email: string, { json }: Json) => print(await setUserDisabled(email, false), json));
  command(
    "delete <email>",
    "Deletes a person for good, with the workspaces that only they are in; says what is lost, and does it with --yes.",
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
      "Nothing was deleted. The account goes for good, with its sessions and keys and the workspaces below: " +
        "say --yes to delete it.\n",
    );
  }
  print({ ...result, workspaces: json ? workspaces : workspaces.join(", ") || "none" }, json);
}
