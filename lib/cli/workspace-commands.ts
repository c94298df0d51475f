import type { Command } from "commander";
import {
  addToWorkspace,
  changePlan,
  changeRole,
  listAllWorkspaces,
  memberSchema,
  newWorkspace,
  newWorkspaceSchema,
  planChangeSchema,
  removeFromWorkspace,
  showWorkspace,
} from "@/lib/operations/operator/workspaces";
import { checked, print, printRows } from "./output";

const PLAN_HELP = `
If Stripe bills the workspace, Stripe's next event overwrites this setting.

  parquetry workspace plan 6d6f0a52-… paid
  parquetry workspace plan 6d6f0a52-… paid --subscription past_due`;

interface Json {
  json?: boolean;
}

/** `workspace list`, `show`, `create`, `plan`; `member add`, `remove`, `role`. */
export function addWorkspaceCommands(program: Command): void {
  const workspace = program
    .command("workspace")
    .description("Manages workspaces, in which people share keys, datasets and a plan.");
  const command = (usage: string, description: string) =>
    workspace.command(usage).description(description).option("--json", "print JSON");
  command("list", "Lists all workspaces.").action(async ({ json }: Json) => printRows(await listAllWorkspaces(), json));
  command("show <id>", "Shows a workspace and its members.").action(show);
  command("create", "Creates a workspace.")
    .requiredOption("--name <name>", "its name")
    .requiredOption("--owner <email>", "the owner's email address; the account must exist")
    .action(async ({ json, ...options }: Json) =>
      print(await newWorkspace(checked(newWorkspaceSchema, options)), json),
    );
  command("plan <id> <plan>", "Sets the plan (free or paid) and the subscription state.")
    .option(
      "--subscription <state>",
      "active, past_due or canceled (default: active for the paid plan, none for the free plan)",
    )
    .addHelpText("after", PLAN_HELP)
    .action(async (id: string, plan: string, { json, ...options }: Json) =>
      print(await changePlan(checked(planChangeSchema, { workspace: id, plan, ...options })), json),
    );
  addMemberCommands(program);
}

function addMemberCommands(program: Command): void {
  const member = program.command("member").description("Manages the members of a workspace.");
  const command = (usage: string, description: string) =>
    member.command(usage).description(description).option("--json", "print JSON");
  command("add <workspace> <email>", "Adds a person who has an account as a member.")
    .option("--role <role>", "owner or member", "member")
    .action(async (workspace: string, email: string, { json, role }: Json & { role: string }) =>
      print(await addToWorkspace(checked(memberSchema, { workspace, email, role })), json),
    );
  command("role <workspace> <email> <role>", "Changes a member's role.").action(
    async (workspace: string, email: string, role: string, { json }: Json) =>
      print(await changeRole(checked(memberSchema, { workspace, email, role })), json),
  );
  command(
    "remove <workspace> <email>",
    "Removes a member. Takes effect on their next request; keys they created in the workspace are revoked.",
  ).action(async (workspace: string, email: string, { json }: Json) =>
    print(await removeFromWorkspace(workspace, email), json),
  );
}

async function show(id: string, { json }: Json): Promise<void> {
  const { people, ...workspace } = await showWorkspace(id);
  if (json) {
    print({ ...workspace, people }, json);
    return;
  }
  print(workspace, json);
  process.stdout.write("\n");
  printRows(people, json);
}
