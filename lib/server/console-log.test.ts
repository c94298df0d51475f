import { expect, test } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { openLog } from "@/lib/http/log";
import { readSettings } from "@/lib/kernel/env";
import { consoleToLog } from "./console-log";

const nothing = (..._values: unknown[]): void => undefined;

function capture() {
  const lines: Record<string, unknown>[] = [];
  const target = { trace: nothing, debug: nothing, log: nothing, info: nothing, warn: nothing, error: nothing };
  const before = target.error;
  const restore = consoleToLog(
    openLog(readSettings({ PARQUETRY_LOG_LEVEL: "trace" }), { write: (line) => void lines.push(JSON.parse(line)) }),
    target,
  );
  return { target, lines, restore, before };
}

test("an error printed by the framework becomes one log line, with secrets redacted", () => {
  const { target, lines } = capture();
  const key = newKey("use");
  target.error(
    " \u001b[31m⨯\u001b[39m",
    Object.assign(new Error(`no row for ${key}`), { digest: "42", parameters: [key] }),
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: 50,
    msg: "request failed",
    err: { message: "no row for svc_use_[redacted]", digest: "42" },
  });
  expect(JSON.stringify(lines)).not.toContain(key);
});

test("strings and objects are formatted as by the console, with the method's level", () => {
  const { target, lines } = capture();
  target.warn("%s took %d ms", "it", 3, { password: "hunter22" });
  target.info("\u001b[1m▲ ready\u001b[22m");
  target.info("");
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, "it took 3 ms { password: '[redacted]' }"],
    [30, "▲ ready"],
  ]);
});

test("the console can be restored", () => {
  const { target, restore, before } = capture();
  restore();
  expect(target.error).toBe(before);
});
