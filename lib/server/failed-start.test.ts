import { EventEmitter } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLog } from "@/lib/http/log";
import { readSettings } from "@/lib/kernel/env";
import { runCommand } from "@/lib/testing/command";
import { logFailedStart } from "./failed-start";

test("an invalid setting is reported without its password, and the service exits with 1", async () => {
  const lines: string[] = [];
  const exits: unknown[] = [];
  const target = Object.assign(new EventEmitter(), {
    exit: (code: unknown) => void exits.push(code),
  }) as unknown as NodeJS.Process;
  const released = Promise.withResolvers<void>();
  const log = openLog(readSettings({}), { write: (line) => void lines.push(line) });
  const running = logFailedStart(log, () => released.promise, target);
  try {
    new URL("postgresql://me:hunter22@host:no-port/x");
  } catch (error) {
    target.emit("uncaughtException", error as Error);
  }
  expect(exits).toEqual([]);
  released.reject(new Error("the database is gone"));
  await expect.poll(() => exits).toEqual([1]);
  expect(JSON.parse(lines[0] ?? "{}")).toMatchObject({
    level: 60,
    msg: "the service could not start",
    err: { message: "Invalid URL" },
  });
  expect(lines.join()).not.toContain("hunter22");
  running();
  expect(target.listenerCount("uncaughtException")).toBe(0);
});

test("a start that fails after the embedded PostgreSQL was started leaves none running", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-failed-start-"));
  chmodSync(folder, 0o755); // the user that runs PostgreSQL must reach it
  try {
    const place = { PARQUETRY_DATA_DIR: join(folder, "data"), EMBEDDED_POSTGRES_SYNC: "false" };
    await runCommand(["key", "list"], place);
    writeFileSync(join(folder, "data", "secret"), "");
    const failed = runCommand(["key", "list"], place);
    await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("empty or damaged") });
    expect(existsSync(join(folder, "data", "postgres", "cluster", "PG_VERSION"))).toBe(true);
    expect(existsSync(join(folder, "data", "postgres", "cluster", "postmaster.pid"))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
