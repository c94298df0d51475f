import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const SERVER = `
  process.on("SIGTERM", () => { process.stdout.write("drained\\n"); process.exit(0); });
  setInterval(() => undefined, 1000);
  process.stdout.write("pid " + process.pid + "\\n");`;

test("SIGTERM to npm start reaches the service itself", async () => {
  const { scripts } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"));
  const folder = mkdtempSync(join(tmpdir(), "npm-start-"));
  mkdirSync(join(folder, "lib/start"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", scripts: { start: scripts.start } }));
  writeFileSync(join(folder, "lib/start/server.ts"), SERVER);
  const npm = spawn("npm", ["start"], {
    cwd: folder,
    env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  npm.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  try {
    await expect.poll(() => output).toMatch(/pid \d+\n/);
    npm.kill("SIGTERM");
    await once(npm, "close"); // once nobody has its output open any more
    expect(output).toContain("drained");
  } finally {
    const pid = Number(/pid (\d+)/.exec(output)?.[1]);
    if (pid && !output.includes("drained")) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true });
  }
});
