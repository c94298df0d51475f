import { execFile, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { freePort } from "@/lib/testing/free-port";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "parquetry-terminal-"));
chmodSync(folder, 0o755); // the user that runs PostgreSQL must reach it
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasTerminal = spawnSync("script", ["--version"]).stdout?.includes("util-linux") === true;

/** A start whose pages need no build. */
const START = `
  import { becomeProgram } from "./lib/start/become.ts";
  import { compiledProgram } from "./lib/start/programs.ts";
  import { say } from "./lib/start/say.ts";
  import { digestSources } from "./lib/start/sources.ts";
  const program = () => compiledProgram("${root}", "server", digestSources("${root}").program);
  await becomeProgram("${root}", program, (message) => say(message, "fatal"));`;

/** What a start that fails prints, at a terminal or into a pipe. */
function outputOf(at: "terminal" | "pipe", settings: Readonly<Record<string, string>>): Promise<string> {
  const node = [process.execPath, "--input-type=module", "-e", `'${START}'`].join(" ");
  const [program, args] = at === "terminal" ? ["script", ["-qec", node, "/dev/null"]] : ["/bin/sh", ["-c", node]];
  const variables = { PATH: process.env.PATH, NODE_ENV: "production" as const, PARQUETRY_DATA_DIR: folder };
  return new Promise((done) => {
    const child = execFile(program, args, { cwd: root, env: { ...variables, ...settings } }, (_error, stdout) =>
      done(stripVTControlCharacters(stdout)),
    );
    child.stdin?.end();
  });
}

const jsonOf = (output: string): Record<string, unknown>[] =>
  output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const unreachable = async () => ({ DATABASE_URL: `postgres://me:hunter22@127.0.0.1:${await freePort()}/x` });

describe.skipIf(!hasTerminal)(hasTerminal ? "at a terminal" : "skipped: needs script of util-linux", () => {
  test("a start that fails says what is wrong and what to do, and nothing else", async () => {
    const output = await outputOf("terminal", await unreachable());
    expect(output).toMatch(/^\d\d:\d\d:\d\d {2}fatal the service could not start$/m);
    expect(output).toContain("  The database cannot be reached. Start its server, or correct host and port");
    expect(output).toContain("ECONNREFUSED");
    expect(output).not.toMatch(/^\s+at |hunter22|\{/m);
  });

  test("invalid settings are named, each on a line, without a stack", async () => {
    const output = await outputOf("terminal", { PORT: "many", QUERY_THREADS: "-1" });
    expect(output).toMatch(/^\S+ {2}fatal Invalid settings:\s+PORT: .+\s+QUERY_THREADS: .+\s+Correct them; /m);
    expect(output).not.toMatch(/^\s+at /m);
  });

  test("PARQUETRY_LOG_FORMAT=json writes what a pipe gets", async () => {
    const json = { PARQUETRY_LOG_FORMAT: "json" };
    expect(jsonOf(await outputOf("terminal", { ...json, ...(await unreachable()) })).at(-1)).toMatchObject({
      level: 60,
    });
    expect(jsonOf(await outputOf("terminal", { ...json, PORT: "many" })).at(-1)).toMatchObject({ level: 60 });
  });
});

test("a pipe gets one JSON object a line, also before the service's own log is there", async () => {
  const [failed] = jsonOf(await outputOf("pipe", await unreachable())).slice(-1);
  expect(failed).toMatchObject({ level: 60, err: { code: "ECONNREFUSED", stack: expect.any(String) } });
  const [invalid] = jsonOf(await outputOf("pipe", { PORT: "many" })).slice(-1);
  expect(invalid).toMatchObject({ level: 60, msg: expect.stringContaining("PORT: ") });
  expect(await outputOf("pipe", { PARQUETRY_LOG_FORMAT: "text", PORT: "many" })).toMatch(/^\S+ {2}fatal Invalid/);
});
