import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { handle, methods, serves, takesFile } from "@/lib/door/handle";
import { baseUrl, env } from "@/lib/kernel/env";
import { oauthHash } from "@/lib/oauth/token";
import { readUserCode } from "@/lib/oauth/user-code";
import { NPM_CLIENT_PATH } from "@/lib/openapi/clients";
import { allowDevice } from "@/lib/store/people/device-codes";
import { type Builder, startBuilder } from "@/lib/testing/builder";
import { useTestState } from "@/lib/testing/database";
import { freePort } from "@/lib/testing/free-port";
import { compilePackage, pathWithNode } from "@/lib/testing/packed-program";
import { UPLOADED, uploadRecipe } from "@/lib/testing/uploading-builder";
import { type Listener, startListener } from "./listener";

const port = await freePort();
useTestState({ PARQUETRY_BASE_URL: `http://127.0.0.1:${port}`, PORT: String(port) });

/** The person's computer: an empty folder, Node and npm, and nothing of the project. */
const home = mkdtempSync(join(tmpdir(), "parquetry-package-"));
let builder: Builder;
let listener: Listener;

beforeAll(async () => {
  await compilePackage();
  builder = await startBuilder();
  listener = await startListener({
    door: { serves, takesFile, methods, handle },
    handle: (_req, res) => void res.writeHead(404).end(),
    ...{ port, host: "127.0.0.1", settings: env(), logger: pino({ level: "silent" }) },
  });
  mkdirSync(join(home, "npm"));
});
afterAll(async () => {
  await listener.close(500);
  await builder.close();
  rmSync(home, { recursive: true, force: true });
});

const variables = () => ({
  PATH: pathWithNode(),
  HOME: home,
  XDG_CONFIG_HOME: home,
  npm_config_cache: join(home, "npm"),
});

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Starts a program in the person's folder. */
function start(program: string, args: readonly string[], more: Record<string, string> = {}) {
  const own = { ...variables(), NODE_ENV: "production" as const, ...more };
  const child: ChildProcess = spawn(program, args, { cwd: home, env: own });
  const text = { out: "", err: "" };
  child.stdout?.on("data", (chunk) => (text.out += chunk));
  child.stderr?.on("data", (chunk) => (text.err += chunk));
  const ended = new Promise<Ended>((done) => child.once("close", (code) => done({ code, ...text })));
  return { child, text, ended };
}

const COMMAND = join(home, "node_modules", ".bin", "parquetry");

/** The output of a command that must succeed. */
async function parquetry(args: readonly string[], more: Record<string, string> = {}): Promise<string> {
  const { code, out, err } = await start(COMMAND, args, more).ended;
  expect([args.slice(0, 2), code, err]).toEqual([args.slice(0, 2), 0, ""]);
  return out;
}

test("npm installs one command from the service alone, with the licences of what it contains", async () => {
  const { code, err } = await start("npm", ["install", "--no-audit", "--no-fund", `${baseUrl()}${NPM_CLIENT_PATH}`], {
    npm_config_registry: "http://127.0.0.1:9/", // nothing else is fetched
  }).ended;
  expect([code, code === 0 ? "" : err]).toEqual([0, ""]);
  expect(readdirSync(join(home, "node_modules", ".bin"))).toEqual(["parquetry"]);
  const files = readdirSync(join(home, "node_modules", "parquetry")).sort();
  expect(files).toEqual([
    ...["LICENSES.txt", "README.md", "api.d.ts", "cli.mjs", "command-line.mjs", "package.json"],
    ...["parquetry.d.mts", "parquetry.mjs", "sync.mjs"],
  ]);
  const licences = readFileSync(join(home, "node_modules", "parquetry", "LICENSES.txt"), "utf8");
  for (const name of ["zod", "commander", "yaml"]) expect(licences).toMatch(new RegExp(`^${name} [0-9.]+, `, "m"));
  const help = await parquetry(["--help"]);
  for (const command of [
    "login",
    "inspect",
    "build",
    "upload",
    "schedule",
    "promote",
    "search",
    "query",
    "download",
    "sync",
  ])
    expect(help).toMatch(new RegExp(`^ +${command} `, "m"));
  expect(help).not.toMatch(/^ +(?:backup|worker|user) /m); // a data folder's
});

test("its person signs in, uploads a file, builds, schedules and reads a dataset", async () => {
  const login = start(COMMAND, ["login", "--name", "lab", "--build"]);
  await expect.poll(() => login.text.out).toMatch(/^Type {2}(\S+)$/m);
  const code = /^Type {2}(\S+)$/m.exec(login.text.out)?.[1] ?? "";
  const { userId, workspaceId } = builder;
  const author = { actor: "person", userId } as const;
  await allowDevice(oauthHash(readUserCode(code) ?? ""), { userId, workspaceId }, author, new Date());
  expect(await login.ended).toMatchObject({ code: 0, err: "" });
  expect(await parquetry(["whoami"])).toContain("lab");

  writeFileSync(join(home, "levels.csv"), UPLOADED);
  writeFileSync(join(home, "recipe.json"), JSON.stringify(uploadRecipe("levels")));
  expect(await parquetry(["upload", "levels.csv", "--name", "levels"])).toMatch(/^Stored as levels, sha256:/);
  expect(await parquetry(["inspect", "upload:levels"])).toContain("gauge");
  const slug = (await parquetry(["build", "new", "Levels by package"])).trim();
  const pushed = JSON.parse(await parquetry(["recipe", "push", slug, "recipe.json", "--start", "--json"]));
  const { run_id: run } = pushed.run;
  expect(await parquetry(["build", "confirm", run])).toContain("levels: 3 rows, 2 columns");
  expect(await parquetry(["build", "rows", run, "levels"])).toBe("gauge  level\nA      1\nB      2\nC      3\n");
  await parquetry(["build", "approve", run, "--then", "private"]);
  expect(await parquetry(["build", "watch", run])).toMatch(/: sealed$/m);
  expect(await parquetry(["schedule", "set", slug, "--every", "P1D"])).toContain("evision 2");
  expect(await parquetry(["recipe", "pull", slug])).toMatch(/"every": ?"P1D"/);
  expect(
    await parquetry(["call", "query_table", JSON.stringify({ table_id: `${slug}/levels`, columns: ["level"] })]),
  ).toContain("sha256:");

  const { key } = await createKey({ kind: "use", name: "lab", userId, workspaceId, expiresAt: null }, author);
  const reading = { PARQUETRY_KEY: key };
  expect(
    await parquetry(["query", `${slug}/levels`, '{"order_by":[{"column":"level","direction":"desc"}]}'], reading),
  ).toBe('{"gauge":"C","level":3}\n{"gauge":"B","level":2}\n{"gauge":"A","level":1}\n');
  await parquetry(["download", `${slug}/levels`, "levels.parquet"], reading);
  expect(readFileSync(join(home, "levels.parquet")).subarray(0, 4).toString()).toBe("PAR1");
  expect(await parquetry(["sync", `${slug}/levels`, "levels.sqlite"], reading)).toMatch(
    /^levels\.sqlite: 3 rows of version [-0-9a-f]{36}; all rows, since there was no copy\n$/,
  );
});

test("a fault is one line for a person, with a status for scripts; foreign variables play no part", async () => {
  const unreachable = await start(COMMAND, ["whoami", "--url", "http://127.0.0.1:9"]).ended;
  expect([unreachable.code, unreachable.err.split("\n")]).toEqual([2, [expect.stringContaining("Not signed in"), ""]]);
  const odd = await start(COMMAND, ["show", "no-such-dataset"], { PORT: "none", DATABASE_URL: "nowhere" }).ended;
  expect([odd.code, odd.err]).toEqual([1, expect.not.stringContaining("Invalid settings")]);
  expect(odd.err.trim().split("\n")).toHaveLength(1);
  const wrong = await start(COMMAND, ["query", "a/b", "[]"]).ended;
  expect([wrong.code, wrong.err]).toEqual([1, "The query is not a JSON object: []\n"]);
  expect(await parquetry(["--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
});
