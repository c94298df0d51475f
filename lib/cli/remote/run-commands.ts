import type { Command } from "commander";
import { printableLine } from "@/lib/cli/printable";
import {
  type DiagnosisReply,
  diagnosisLines,
  failedCheckLines,
  promotionLines,
  type RunReply,
  runLines,
} from "./build-text";
import { type ChosenService, chosenService } from "./chosen-service";
import { CommandError } from "./command-error";
import { callTool } from "./connector-call";
import { URL_OPTION } from "./sign-in-commands";
import { printReply } from "./tool-commands";

interface Options {
  url?: string;
  json?: boolean;
}

interface RunCommand {
  usage: string;
  description: string;
  options?: readonly [flags: string, description: string][];
  tool: string;
  args(subject: string, options: Readonly<Record<string, string | boolean | undefined>>): object;
  /** The reply as text. Default: that of a run. */
  lines?(reply: unknown): string[];
}

/** Commands that consist of one tool call. */
const COMMANDS: readonly RunCommand[] = [
  {
    usage: "start <dataset>",
    description: "Plans a run of a dataset's recipe, or runs it in full if it was approved before.",
    options: [
      ["--revision <number>", "an earlier revision"],
      ["--confirm", "also start its sample"],
    ],
    tool: "start_run",
    args: (dataset, { revision, confirm }) => ({
      ...{ dataset, confirm: confirm === true },
      ...(revision !== undefined && { revision: Number(revision) }),
    }),
  },
  {
    usage: "confirm <run>",
    description: "Starts the sample of a planned run, and waits for it for up to 20 seconds.",
    tool: "confirm_run",
    args: (run_id) => ({ run_id, wait_ms: 20_000 }),
  },
  {
    usage: "cancel <run>",
    description: "Cancels a run that has not ended.",
    options: [["--reason <text>", "why"]],
    tool: "cancel_run",
    args: (run_id, { reason }) => ({ run_id, ...(reason !== undefined && { reason }) }),
  },
  {
    usage: "events <run>",
    description: "Prints the events of a run, oldest first.",
    options: [["--after <seq>", "only later ones"]],
    tool: "run_events",
    args: (run_id, { after }) => ({ run_id, limit: 200, ...(after !== undefined && { after_seq: Number(after) }) }),
    lines: (reply) => (reply as Events).events.map(eventLine),
  },
  {
    usage: "replay <run>",
    description: "Repeats a sealed run from the bytes that it read.",
    options: [["--revision <number>", "another revision over the same bytes"]],
    tool: "replay_run",
    args: (run_id, { revision }) => ({ run_id, ...(revision !== undefined && { revision: Number(revision) }) }),
  },
  {
    usage: "diagnose <dataset/table>",
    description: "Says why a table is in the state that it is in, and what to do.",
    options: [["--days <number>", "how many days of runs to consider (default: 30)"]],
    tool: "diagnose_table",
    args: (name, { days }) => {
      const [dataset, table] = name.split("/");
      return { dataset, table, ...(days !== undefined && { days: Number(days) }) };
    },
    lines: (reply) => diagnosisLines(reply as DiagnosisReply),
  },
];

/** `build …` and `promote`: runs from a terminal. */
export function addRunCommands(program: Command): void {
  const build = program.command("build").description("Starts, watches and approves runs that build datasets.");
  for (const { usage, description, options = [], tool, args, lines = linesOfRun } of COMMANDS) {
    const command = build.command(usage).description(description);
    for (const [flags, about] of options) command.option(flags, about);
    command.option(...URL_OPTION).option("--json", "print JSON");
    command.action((subject: string, { url, json, ...given }: Options & Record<string, string | boolean | undefined>) =>
      printReply(tool, args(subject, given), { url, json }, lines),
    );
  }
  build
    .command("watch <run>")
    .description("Prints each event of a run until it ends or waits for somebody; fails if the run failed.")
    .option(...URL_OPTION)
    .action(watch);
  build
    .command("approve <run>")
    .description("Approves the full run of a sample if an agent may, or prints where a person decides in the browser.")
    .option("--then <promote>", "what becomes current once it is sealed: none, private or public", "none")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .action(approve);
  program
    .command("promote <dataset>")
    .description("Makes what the last run sealed current. Publishing and activating require an owner in the browser.")
    .option("--run <id>", "another run of the dataset")
    .option("--public", "publish it")
    .option("--activate", "put its tables on the hosted table API")
    .option(...URL_OPTION)
    .option("--json", "print JSON")
    .action(promote);
}

/** Fails with the reason if the run failed, as `build watch` does. */
function linesOfRun(reply: unknown): string[] {
  const run = reply as RunReply;
  if (run.failure) throw failed(run.failure);
  return runLines(run);
}

const failed = ({ code, message, fix }: NonNullable<Run["failure"]>): CommandError =>
  new CommandError(`${code}: ${message} ${fix}`);

type Run = RunReply & { result?: RunReply["sample"] };

interface Events {
  events: { seq: number; at: string; kind: string; message: string }[];
  last_seq: number;
  more: boolean;
}

async function watch(run_id: string, { url }: Options): Promise<void> {
  const service = chosenService(url);
  let seen = 0;
  let run = await callTool<Run>(service, "get_run", { run_id });
  for (;;) {
    seen = await printEvents(service, run_id, seen);
    if (run.poll_after_ms === undefined) break;
    run = await callTool<Run>(service, "get_run", { run_id, known_state: run.state, wait_ms: 5000 });
  }
  if (run.failure) {
    const checks = failedCheckLines(run.result?.checks ?? []);
    process.stdout.write(checks.map((line) => `${printableLine(line)}\n`).join(""));
    throw failed(run.failure);
  }
  const lines = runLines({ ...run, ...(run.result && run.state === "awaiting_approval" && { sample: run.result }) });
  process.stdout.write(`${lines.map(printableLine).join("\n")}\n`);
}

/** Returns the last one's seq. */
async function printEvents(service: ChosenService, run_id: string, after: number): Promise<number> {
  const { events, last_seq, more } = await callTool<Events>(service, "run_events", {
    ...{ run_id, after_seq: after, limit: 200 },
  });
  for (const event of events) process.stdout.write(`${printableLine(eventLine(event))}\n`);
  return more ? printEvents(service, run_id, last_seq) : last_seq;
}

const eventLine = ({ seq, at, kind, message }: Events["events"][number]): string =>
  `${String(seq).padStart(3)}  ${at}  ${kind.padEnd(16)}  ${message}`;

async function approve(run_id: string, { url, json, then: promote }: Options & { then: string }): Promise<void> {
  const { result } = await callTool<Run>(chosenService(url), "get_run", { run_id });
  const recipe_digest = result?.recipe_digest;
  if (!recipe_digest) throw new CommandError("The run has no sample yet. Start it with: parquetry build confirm RUN");
  // biome-ignore lint/suspicious/noThenProperty: the word of the interface
  await printReply("approve_full_run", { run_id, recipe_digest, then: { promote } }, { url, json }, linesOfRun);
}

async function promote(
  dataset: string,
  { url, json, run, public: isPublic, activate }: Options & { run?: string; public?: boolean; activate?: boolean },
) {
  const args = {
    dataset,
    ...(run !== undefined && { run_id: run }),
    ...(isPublic && { visibility: "public" }),
    ...(activate && { activate }),
  };
  await printReply("promote_table", args, { url, json }, promotionLines);
}
