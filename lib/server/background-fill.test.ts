import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { sandboxProgram } from "@/lib/testing/sandbox-program";
import { startFilling } from "./background-fill";

const { databaseUrl, dataDir } = useTestState();

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parquetry-filling-"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program in place of the fill. Returns how it ended, unless it was stopped. */
function fill(script: string) {
  const program = join(folder, `${Math.random()}.mjs`);
  writeFileSync(program, script);
  const ends: (number | null)[] = [];
  return { ends, filling: startFilling((code) => ends.push(code), program) };
}

const readPid = (file: string) => Number(readFileSync(file, "utf8"));

test("the end of a fill is reported: complete, failed or killed", async () => {
  const whole = fill("process.exit(0)");
  const failed = fill("process.exit(1)");
  const killed = fill("process.kill(process.pid, 'SIGKILL')");
  await expect.poll(() => [whole.ends, failed.ends, killed.ends]).toEqual([[0], [1], [null]]);
});

test("it and its processes run below readers' priority, and end immediately when the service stops", async () => {
  const [own, child] = [join(folder, "own"), join(folder, "child")];
  const { ends, filling } = fill(`
    import { spawn } from "node:child_process";
    import { writeFileSync, renameSync } from "node:fs";
    const script = "process.stdin.resume().on('end', () => process.exit())";
    const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "ignore", "ignore"] });
    for (const [file, pid] of [["${own}", process.pid], ["${child}", child.pid]]) {
      writeFileSync(file + ".draft", String(pid));
      renameSync(file + ".draft", file);
    }
    setInterval(() => undefined, 1000);`);
  await expect.poll(() => readPid(child)).toBeGreaterThan(0);
  const pids = [readPid(own), readPid(child)];
  expect(pids.map((pid) => getPriority(pid) - getPriority())).toEqual([5, 5]);
  await filling.stop();
  expect(() => process.kill(pids[0] ?? 0, 0)).toThrow("ESRCH");
  expect(ends).toEqual([]);
});

test("the fill as run in production succeeds if there is nothing left to fill", async () => {
  vi.stubEnv("DATABASE_URL", databaseUrl());
  vi.stubEnv("PARQUETRY_DATA_DIR", dataDir());
  const ends: (number | null)[] = [];
  startFilling((code) => ends.push(code), join(dirname(await sandboxProgram()), "showcase.js"));
  await expect.poll(() => ends).toEqual([0]);
});

test("if the program is not compiled, there is nothing to fill or to stop", async () => {
  await startFilling(() => expect.unreachable(), join(folder, "absent.js")).stop();
});
