import type { Command } from "commander";

const MAINTENANCE_HELP = `
In maintenance mode every route returns 503 in plain text with Retry-After. Only /healthz and /readyz still
return 200, so that nothing restarts the service, and no load balancer answers in its place. Requests in progress are
completed. The mode takes effect within half a second, survives restarts, and applies to every service on this data
folder. It is stored there in the file maintenance.json, so it works while the database is down, and the file can also
be created or removed by hand.

  parquetry maintenance on --message "Moving to a new machine, back at 12:00 UTC." --retry-after 1800
  parquetry maintenance off`;

/** What each group of commands is for. */
const GROUPS: Readonly<Record<string, string>> = {
  dataset: "Manages published datasets and their visibility.",
  version: "Manages immutable versions of tables.",
  column: "Manages columns of published tables.",
  user: "Manages people with an account.",
  workspace: "Manages workspaces, in which people share keys, datasets and a plan.",
  member: "Manages the members of a workspace.",
  sources: "Manages the sources that agents search with catalog_search.",
  secrets: "Manages source credentials. Values are never printed.",
  watch: "Lists webhooks and email subscriptions to news, and their deliveries.",
  maintenance: "Manages maintenance mode, which rejects every request.",
  key: "Manages keys, which read whole public tables and the tables of their own workspace.",
};

/** What the help of a group adds. */
const HELP: Readonly<Record<string, string>> = { maintenance: MAINTENANCE_HELP };

/** The group with this name below a command; added if missing. */
export const groupOf = (parent: Command, name: string): Command =>
  parent.commands.find((command) => command.name() === name) ??
  parent
    .command(name)
    .description(GROUPS[name] ?? `Commands of ${name}.`)
    .addHelpText("after", HELP[name] ?? "");
