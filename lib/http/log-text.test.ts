import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { openLog } from "./log";
import { logText } from "./log-text";

function textOf(work: (log: ReturnType<typeof openLog>) => void): string {
  const lines: string[] = [];
  work(openLog(readSettings({}), { write: (line) => void lines.push(logText(line)) }));
  return lines.join("");
}

test("a line has time, level, message and fields, and an error its stack", () => {
  const text = textOf((log) => log.info({ method: "GET", path: "/x", status: 500, nested: { a: 1 } }, "request"));
  expect(text).toMatch(/^\d\d:\d\d:\d\d {2}request method=GET path=\/x status=500 nested=\{"a":1\}\n$/);
  const failed = textOf((log) => log.error({ err: new Error("no disk", { cause: new Error("full") }) }, "failed"));
  expect(failed).toMatch(/^\S+ {2}error failed\n {2}Error: no disk\n {6}at /);
});

test("fields after a colon are listed below the message", () => {
  const text = textOf((log) => log.info({ url: "http://localhost:3000", data: "/srv" }, "listening:"));
  expect(text).toMatch(/^\S+ {2}listening:\n {2}url {3}http:\/\/localhost:3000\n {2}data {2}\/srv\n$/);
});

test("why the service ends is said without stacks, causes included", () => {
  const err = new Error("The database cannot be reached.", { cause: new Error("connect ECONNREFUSED") });
  expect(textOf((log) => log.fatal({ err }, "the service could not start"))).toMatch(
    /^\S+ {2}fatal the service could not start\n {2}The database cannot be reached\.\n {2}connect ECONNREFUSED\n$/,
  );
});

test("requests that did not fail are left out, unless details are wanted", () => {
  const request = (isDetailed: boolean, status: number) => {
    const lines: string[] = [];
    const log = openLog(readSettings({}), { write: (line) => void lines.push(logText(line, isDetailed)) });
    log.info({ status }, "request");
    return lines.join("") !== "";
  };
  expect([request(false, 404), request(false, 503), request(true, 200)]).toEqual([false, true, true]);
});

test("nothing that is logged controls the terminal or looks like another line", () => {
  const evil = "a\u001b[2J\n12:00:00 error forged\u2028x\u009b1m";
  const text = textOf((log) => log.warn({ path: evil, err: Object.assign(new Error(evil), { stack: evil }) }, evil));
  expect(text.split("\n").filter((line) => /^(?:12:00:00|x)/.test(line))).toEqual([]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test("a line that redaction left without its form is written as it is", () => {
  expect(logText('{"msg":"a[redacted]\n')).toBe('{"msg":"a[redacted]\n');
});

const SCRIPT = `import { logTo } from "./lib/http/log.ts"; import { readSettings } from "./lib/kernel/env.ts";
logTo(1, readSettings({})).info({ n: 1 }, "hello");`;

test("a pipe gets JSON", () => {
  const args = ["--import", "tsx", "--input-type=module", "-e", SCRIPT];
  const output = execFileSync(process.execPath, args, { cwd: resolve("."), encoding: "utf8" });
  expect(JSON.parse(output)).toMatchObject({ msg: "hello", n: 1 });
});
