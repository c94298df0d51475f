import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { readSettings } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { openLog } from "./log";

const KEY = newKey("use");

/** What a log with these settings writes while `work` runs. */
function written(work: (log: ReturnType<typeof openLog>) => void): { text: string; lines: Record<string, unknown>[] } {
  const lines: string[] = [];
  const settings = readSettings({
    PARQUETRY_LOG_LEVEL: "trace",
    PARQUETRY_SECRET: "a-secret-of-the-operator-of-40-characters",
  });
  work(openLog(settings, { write: (line) => void lines.push(line) }));
  return { text: lines.join(""), lines: lines.map((line) => JSON.parse(line)) };
}

describe("the log", () => {
  test("an error is logged with its causes, without properties added by drivers", () => {
    const cause = Object.assign(new Error("duplicate key"), {
      code: "23505",
      detail: "Key (email)=(a@b.example)",
      parameters: [KEY],
      client: { password: "hunter22" },
    });
    const { text, lines } = written((log) =>
      log.error({ err: Object.assign(fail("internal", { cause }), { digest: "123" }) }, "request failed"),
    );
    expect(lines[0]).toMatchObject({
      err: { type: "Failure", code: "internal", digest: "123", cause: { message: "duplicate key", code: "23505" } },
      msg: "request failed",
    });
    for (const gone of [KEY, "a@b.example", "hunter22", "parameters"]) expect(text).not.toContain(gone);
    expect(lines[0]).toMatchObject({ err: { stack: expect.stringContaining("log.test.ts") } });
  });

  test("no key, query string, password or secret is ever logged: by message, stack, cause, field or name", () => {
    const secrets = [
      KEY,
      "token-in-query",
      "pass-in-url",
      "pass-in-field",
      "a-secret-of-the-operator-of-40-characters",
    ];
    const story = `${KEY} /sign-in?x=token-in-query postgresql://u:pass-in-url@h/d a-secret-of-the-operator-of-40-characters`;
    const { text, lines } = written((log) => {
      log.info(story);
      log.warn({ path: story, nested: { deep: { "x-api-key": "pass-in-field", list: [story] } } }, "fields");
      log.error({ err: new Error(story, { cause: new AggregateError([new Error(story), story], story) }) }, "error");
      log.child({ story }).fatal("child");
    });
    expect(lines).toHaveLength(4);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThan(20);
  });

  test.each([undefined, null, 7, "thrown text", { password: "hunter22" }, [KEY]])(
    "a thrown value that is not an error is logged without contents: %j",
    (thrown) => {
      const { text, lines } = written((log) => log.error({ err: thrown }, "odd"));
      expect(lines[0]).toMatchObject({ msg: "odd" });
      expect(text).not.toContain("hunter22");
      expect(text).not.toContain(KEY);
    },
  );

  test("circular causes are cut off", () => {
    const error = new Error("round") as Error & { cause: unknown };
    error.cause = error;
    expect(written((log) => log.error({ err: error }, "circle")).lines).toHaveLength(1);
  });
});

describe("an output that takes no lines", () => {
  /** Prints on standard error how many lines it logged, and logs one more for each line of its input. */
  const SCRIPT = `
    import { createInterface } from "node:readline";
    import { readSettings } from "@/lib/kernel/env";
    import { outliveOutput } from "@/lib/http/log-output";
    import { logTo } from "@/lib/http/log";
    outliveOutput();
    const log = logTo(1, readSettings({ PARQUETRY_LOG_LEVEL: "info" }));
    for (let at = 0; at < 5_000; at += 1) log.info({ at, text: "x".repeat(1000) }, "early");
    process.stderr.write("alive\\n");
    for await (const line of createInterface({ input: process.stdin })) log.info({ line }, "late");
    process.exit(0);`;

  function start(stdout: "pipe" | number) {
    const stdio: StdioOptions = ["pipe", stdout, "pipe"];
    return spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", SCRIPT], {
      ...{ cwd: resolve(import.meta.dirname, "../.."), stdio },
    });
  }

  test("a full disk ends neither the process nor its exit", async () => {
    const full = openSync("/dev/full", "w");
    const child = start(full);
    closeSync(full);
    const ended = once(child, "exit");
    expect(String((await once(child.stderr as NodeJS.ReadableStream, "data"))[0])).toBe("alive\n");
    child.stdin?.end("one\ntwo\n");
    expect((await ended)[0]).toBe(0);
  });

  test("a reader that stands still holds nobody; what is dropped is counted, and said once it reads on", async () => {
    const child = start("pipe");
    const ended = once(child, "exit");
    expect(String((await once(child.stderr as NodeJS.ReadableStream, "data"))[0])).toBe("alive\n");
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    await expect.poll(() => output).toContain("were dropped");
    child.stdin?.end("one\n");
    expect((await ended)[0]).toBe(0);
    const lines = output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    const early = lines.filter(({ msg }) => msg === "early").length;
    const dropped = lines.reduce((sum, { lines: count = 0 }) => sum + count, 0);
    expect(dropped).toBeGreaterThan(1_000);
    expect(early + dropped).toBe(5_000);
    expect(lines.at(-1)).toMatchObject({ msg: "late", line: "one" });
  });
});
