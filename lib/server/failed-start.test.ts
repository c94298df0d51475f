import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { openLog } from "@/lib/http/log";
import { readSettings } from "@/lib/kernel/env";
import { logFailedStart } from "./failed-start";

test("an invalid setting is reported without its password, and the service exits with 1", () => {
  const lines: string[] = [];
  const exits: unknown[] = [];
  const target = Object.assign(new EventEmitter(), {
    exit: (code: unknown) => void exits.push(code),
  }) as unknown as NodeJS.Process;
  const running = logFailedStart(openLog(readSettings({}), { write: (line) => void lines.push(line) }), target);
  try {
    new URL("postgresql://me:hunter22@host:no-port/x");
  } catch (error) {
    target.emit("uncaughtException", error as Error);
  }
  expect(exits).toEqual([1]);
  expect(JSON.parse(lines[0] ?? "{}")).toMatchObject({
    level: 60,
    msg: "the service could not start",
    err: { message: "Invalid URL" },
  });
  expect(lines.join()).not.toContain("hunter22");
  running();
  expect(target.listenerCount("uncaughtException")).toBe(0);
});
