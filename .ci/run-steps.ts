import { spawn } from "node:child_process";

export interface Step {
  name: string;
  command: readonly string[];
  variables?: Readonly<Record<string, string>>;
  /** Steps whose result this one uses. If one of them has not passed, this one is not run. */
  needs?: readonly string[];
  /** Steps that must have ended, whether or not they passed, before this one starts. */
  after?: readonly string[];
  /** Prints as it goes. Other steps print when they end. */
  live?: boolean;
  /** Runs at the same time as a step that leaves processor time idle, and gets only that. */
  spare?: boolean;
}

export interface StepResult {
  name: string;
  outcome: "passed" | "FAILED" | "not run";
  seconds: number;
}

/**
 * The prefix of a spare step's command. It gets a third of another step's share when both want a processor. With less,
 * its tests reach their time limits if something else keeps every core busy too. Changing the priority after the start
 * would be too late for the threads that the command has already started.
 */
const SPARE = ["nice", "-n", "5"];

/** Runs every step, whatever the outcome of the others. Results are in the order of `steps`. */
export function runSteps(steps: readonly Step[], write: (text: string) => void): Promise<StepResult[]> {
  const results = new Map<string, Promise<StepResult>>();
  for (const step of steps) {
    const before = (names: readonly string[] = []) =>
      names.map((name) => {
        const result = results.get(name);
        if (!result) throw new Error(`Step "${step.name}" needs "${name}", which is not before it.`);
        return result;
      });
    results.set(step.name, runAfter(step, before(step.after), before(step.needs), write));
  }
  return Promise.all(results.values());
}

async function runAfter(
  step: Step,
  awaited: readonly Promise<StepResult>[],
  needed: readonly Promise<StepResult>[],
  write: (text: string) => void,
): Promise<StepResult> {
  await Promise.all(awaited);
  const missing = (await Promise.all(needed)).find(({ outcome }) => outcome !== "passed");
  if (missing) {
    write(`\n── ${step.name}: not run, because it needs "${missing.name}"\n`);
    return { name: step.name, outcome: "not run", seconds: 0 };
  }
  const started = performance.now();
  if (step.live) write(`\n── ${step.name}\n`);
  const { status, output } = await runCommand(step);
  const result: StepResult = {
    name: step.name,
    outcome: status === 0 ? "passed" : "FAILED",
    seconds: Math.round((performance.now() - started) / 1000),
  };
  write(`${output}── ${result.name}: ${result.outcome} in ${result.seconds} s\n`);
  return result;
}

/** The output is empty for a step that prints as it goes. */
function runCommand({ command, variables, live, spare }: Step): Promise<{ status: number | null; output: string }> {
  const [program = "", ...args] = spare ? [...SPARE, ...command] : command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: live ? "inherit" : ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...variables },
    });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => void output.push(chunk));
    child.once("error", (error) => resolve({ status: null, output: `${error.message}\n` }));
    child.once("close", (status) => resolve({ status, output: Buffer.concat(output).toString() }));
  });
}
