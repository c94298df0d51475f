import type { Command } from "commander";
import { print } from "@/lib/cli/output";
import { printable, printableJson } from "@/lib/cli/printable";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { type RecipeReply, recipeLines, runLines } from "./build-text";
import { chosenService } from "./chosen-service";
import { CommandError } from "./command-error";
import { callTool } from "./connector-call";
import { URL_OPTION } from "./sign-in-commands";
import { printReply } from "./tool-commands";

interface Options {
  url?: string;
  json?: boolean;
}

const SCHEDULE_HELP = `
A schedule is the refresh part of a recipe: schedule set proposes a revision with a different one, which a person
approves like any change. Pausing and resuming take effect at once. Requires a sign-in with parquetry login --build.

  parquetry schedule set air-quality --every P1D --expected-by 09:00 --time-zone Europe/Lisbon
  parquetry schedule set air-quality --days mon tue wed thu fri
  parquetry schedule pause air-quality`;

/** Members of a recipe's refresh that are options, with their meaning. */
const MEMBERS: readonly [flags: string, member: string, description: string][] = [
  ["--every <duration>", "every", "how often its sources are read, as an ISO 8601 duration"],
  ["--anchor <time>", "anchor", "the local date and time of the first tick, such as 2026-01-05T06:00"],
  ["--time-zone <zone>", "time_zone", "the time zone of the ticks, such as Europe/Lisbon"],
  ["--days <day...>", "days", "only these weekdays: mon tue wed thu fri sat sun"],
  ["--skip-dates <date...>", "skip_dates", "dates on which nothing is expected"],
  ["--expected-by <when>", "expected_by", "a time or a duration after a tick by which an update is promised"],
  ["--grace <duration>", "grace", "how much later than that an update may be"],
  ["--read-every <duration>", "read_every", "how often sources are read between ticks"],
];

/** `schedule …`: when a dataset's sources are read, from a terminal. */
export function addScheduleCommands(program: Command): void {
  const schedule = program
    .command("schedule")
    .description("Shows, changes, pauses and resumes when the sources of a dataset are read.")
    .addHelpText("after", SCHEDULE_HELP);
  withOptions(schedule.command("show <dataset>")).description("Prints the schedule of a dataset.").action(show);
  const set = schedule
    .command("set <dataset>")
    .description(
      "Proposes a revision of the recipe with a different schedule. Options that are not given keep their values.",
    );
  for (const [flags, , description] of MEMBERS) set.option(flags, description);
  set.option("--none", "no schedule: sources are read only when somebody starts a run");
  set.option("--note <text>", "why, for the people who approve it", "another schedule").option("--start", "plan a run");
  withOptions(set).action(change);
  for (const to of ["pause", "resume"] as const)
    withOptions(schedule.command(`${to} <dataset>`))
      .description(to === "pause" ? "Starts no runs until the schedule is resumed." : "Plans runs again from now on.")
      .action((dataset: string, options: Options) =>
        printReply("update_dataset", { dataset, schedule: to }, options, (reply: Changed) => switchedLines(to, reply)),
      );
  withOptions(schedule.command("run <dataset>"))
    .description("Runs the newest revision now, in full if it is approved; otherwise says so and plans its sample.")
    .action((dataset: string, options: Options) => printReply("start_run", { dataset }, options, runLines));
}

const withOptions = (command: Command): Command => command.option(...URL_OPTION).option("--json", "print JSON");

interface Changed {
  dataset: string;
  changed: string[];
}

function switchedLines(to: "pause" | "resume", { dataset, changed }: Changed): string[] {
  if (changed.length === 0)
    return [`Nothing changed: ${dataset} was already ${to === "pause" ? "paused" : "resumed"}.`];
  return to === "pause"
    ? [`${dataset} is paused.`, `Next: parquetry schedule resume ${dataset} plans runs again.`]
    : [`${dataset} plans runs again.`, `Next: parquetry schedule show ${dataset} shows when.`];
}

interface Built {
  schedule: Record<string, unknown> | null;
  revision: { number: number } | null;
  recipe?: { refresh?: Record<string, unknown> };
}

async function show(dataset: string, { url, json }: Options): Promise<void> {
  const { schedule } = await callTool<Built>(chosenService(url), "get_my_dataset", { dataset });
  if (json) process.stdout.write(`${printableJson(stringifyExactJson(schedule))}\n`);
  else if (schedule) print(schedule, false);
  else process.stdout.write(`${printable(dataset)} has no schedule: its approved recipe has no refresh.\n`);
}

type Given = Options & { note: string; start?: boolean; none?: boolean };

async function change(dataset: string, { url, json, note, start, ...given }: Given, command: Command): Promise<void> {
  const { revision, recipe } = await callTool<Built>(chosenService(url), "get_my_dataset", { dataset, recipe: true });
  if (!revision) throw new CommandError("The dataset has no recipe yet. Register one with: parquetry recipe push");
  const patch = [changeOf(recipe?.refresh, given.none === true, command.opts())];
  const args = { dataset, base: revision.number, note, patch, start: start === true };
  await printReply("propose_revision", args, { url, json }, (reply: RecipeReply) => recipeLines(dataset, reply));
}

/** The recipe's schedule with the given options, as a JSON Patch. */
function changeOf(before: object | undefined, isNone: boolean, options: Readonly<Record<string, unknown>>) {
  const given = MEMBERS.map(([, member]) => [member, options[optionOf(member)]] as const);
  const value = Object.fromEntries(given.filter(([, option]) => option !== undefined));
  const isEmpty = Object.keys(value).length === 0;
  if (isNone === !isEmpty) throw new CommandError("Give either --none or the options to change, such as --every P1D.");
  return isNone ? { op: "remove", path: "/refresh" } : { op: "add", path: "/refresh", value: { ...before, ...value } };
}

/** `time_zone` → Commander's `timeZone` */
const optionOf = (member: string): string => member.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
