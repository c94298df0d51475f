import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";

const root = resolve(import.meta.dirname, "..");
const folder = resolve(root, process.env.CONFORMANCE_DIR ?? join("docs", "conformance"));

/** The suite needs a newer Node than the service. */
const NODE = "node@22.23.3";

/** One run of a command of the protocol's own suite. */
export interface Run {
  version: string;
  command: "server" | "authorization";
  args: readonly string[];
  /** Receives everything printed so far, whenever more is printed. */
  onPrinted?(printed: string): Promise<void>;
}

/** Runs the suite, saves its output in a file of docs/conformance, and returns how each run ended. */
export async function runSuite(file: string, runs: readonly Run[]): Promise<(number | null)[]> {
  const ended: { code: number | null; printed: string }[] = [];
  for (const run of runs) ended.push(await runOnce(run));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), `${ended.map(({ printed }) => kept(printed)).join("\n\n")}\n`);
  return ended.map(({ code }) => code);
}

function runOnce({ version, command, args, onPrinted }: Run): Promise<{ code: number | null; printed: string }> {
  const packages = ["-p", NODE, "-p", `@modelcontextprotocol/conformance@${version}`];
  const child = spawn("npx", ["--yes", ...packages, "conformance", command, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += stripVTControlCharacters(chunk.toString());
    void onPrinted?.(printed);
  });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk));
  return new Promise((done) =>
    child.once("close", (code) => {
      if (code !== 0) process.stderr.write(printed + complaints);
      done({ code, printed });
    }),
  );
}

/** The results, without what differs from run to run. */
const kept = (printed: string): string =>
  (printed.split("=== Failed Checks ===")[0] ?? "")
    .replace(/^Ensure http[\s\S]*?^Callback server started.*\n/m, "")
    .replace(/^=== Running scenario.*\n|^Running client scenario.*\n(?=\n)/gm, "")
    .replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /gm, "")
    .replace(/localhost:\d+/g, "localhost")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
