import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "@playwright/test";
import { BY_COMMAND_LINE, BY_CURL, LEVELS } from "@/lib/docs/samples/build";
import type { Sample, SamplePlace } from "@/lib/docs/samples/sample";
import { NPM_CLIENT_PATH } from "@/lib/openapi/clients";
import { paidPerson, signInToBuild } from "./paid-workspace";
import { portOf } from "./ports";
import { shownOutput } from "./shown-output";
import { Terminal } from "./terminal";
import { test } from "./test";
import { noteFound } from "./used-secrets";

/** Separates the output of two samples. */
const MARK = "--- end of a sample ---";

let office: Server;
test.beforeAll(async () => {
  office = createServer((_request, reply) => reply.writeHead(200, { "content-type": "text/csv" }).end(LEVELS));
  await new Promise<void>((done) => office.listen(portOf("tutorial"), "127.0.0.1", done));
});
test.afterAll(() => office.close());

/** The output of each sample of a session, all in one shell that has the command line as the service offers it. */
async function runSession(samples: readonly Sample[], place: SamplePlace, terminal: Terminal): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-tutorial-"));
  const PATH = [join(folder, "node_modules", ".bin"), dirname(process.execPath), process.env.PATH].join(":");
  const install = ["install", "--no-audit", "--no-fund", `${place.base}${NPM_CLIENT_PATH}`];
  execFileSync("npm", install, { cwd: folder, env: { ...process.env, PATH }, stdio: "pipe" });
  const all = samples.map((sample) => `${sample.code(place)}\necho '${MARK}'`).join("\n");
  const script = all.replaceAll("River Office", `River Office ${process.pid}`); // a name belongs to its first workspace
  const child = spawn("sh", ["-e", "-c", script], {
    cwd: folder,
    env: {
      PATH,
      NODE_ENV: "production",
      LANG: "C.UTF-8",
      XDG_CONFIG_HOME: terminal.home,
      PARQUETRY_DATA_DIR: "/nowhere/at/all",
      PARQUETRY_TOKEN: terminal.kept.credential,
    },
  });
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (chunk) => (text[name] += String(chunk)));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  noteFound(text.stdout, "what the tutorial prints");
  rmSync(folder, { recursive: true, force: true });
  expect([code, text.stderr], text.stdout).toEqual([0, ""]);
  return text.stdout
    .split(`${MARK}\n`)
    .slice(0, -1)
    .map((printed) => printed.trim());
}

test("a dataset is built by the command line alone, and with curl, as the tutorial shows", async ({
  browser,
  baseURL,
}) => {
  test.slow();
  const { page } = await paidPerson(browser, "tutorial");
  const terminal = new Terminal(baseURL ?? "");
  await signInToBuild(page, terminal);
  const place = {
    base: baseURL ?? "",
    tableIds: new Map(),
    versionIds: [],
    source: `http://127.0.0.1:${portOf("tutorial")}`,
  };
  for (const session of [BY_COMMAND_LINE, BY_CURL]) {
    const printed = await runSession(session, place, terminal);
    expect(printed).toHaveLength(session.length);
    for (const [at, sample] of session.entries())
      if (sample.output !== undefined) expect(printed[at], sample.id).toMatch(shownOutput(sample));
  }
  terminal.close();
});
