import { getPriority } from "node:os";
import { describe, expect, test } from "vitest";
import { AT_FAILURE, browserReport, slowest, totalOf, unitReport } from "./reports";
import { runSteps, type Step } from "./run-steps";

const node = (script: string) => [process.execPath, "-e", script];

async function run(steps: readonly Step[]): Promise<{ outcomes: string[]; text: string }> {
  let text = "";
  const results = await runSteps(steps, (part) => {
    text += part;
  });
  return { outcomes: results.map(({ name, outcome }) => `${name} ${outcome}`), text };
}

describe("the steps of npm test", () => {
  test("run whatever the outcome of the others, except those that need a failed one", async () => {
    const { outcomes, text } = await run([
      { name: "a", command: node("console.log('what is wrong'); process.exit(1)") },
      { name: "b", command: node("") },
      { name: "c", command: node(""), needs: ["a"] },
      { name: "d", command: node(""), needs: ["c"] },
      { name: "e", command: node(""), needs: ["b"], after: ["a", "d"], live: true },
      { name: "f", command: ["/there/is/no/such/program"] },
    ]);
    expect(outcomes).toEqual(["a FAILED", "b passed", "c not run", "d not run", "e passed", "f FAILED"]);
    expect(text).toContain("what is wrong\n── a: FAILED");
    expect(text).toContain('── c: not run, because it needs "a"');
  });

  test("that are spare get only the processor time that the others leave", async () => {
    const niceness = node("console.log('niceness', os.getPriority())");
    const { text } = await run([
      { name: "a", command: niceness },
      { name: "b", command: niceness, after: ["a"], spare: true },
    ]);
    const own = getPriority();
    expect(text.match(/niceness -?\d+/g)).toEqual([`niceness ${own}`, `niceness ${own + 5}`]);
  });

  test("that are killed have failed", async () => {
    expect((await run([{ name: "a", command: node("process.kill(process.pid, 'SIGKILL')") }])).outcomes).toEqual([
      "a FAILED",
    ]);
  });
});

test("a test that passed only on a retry counts as failed, and a failure says what its pages showed", () => {
  const stats = { expected: 3, unexpected: 1, flaky: 2, skipped: 4 };
  const error = { message: "\u001b[31mError: no row\u001b[39m\nat a.spec.ts:1" };
  const stdout = [{ text: "other words\n" }, { text: `${AT_FAILURE}http://a/b: Internal error\n` }];
  const result = (duration: number, ok: boolean) => ({
    title: "a row is shown",
    ok,
    tests: [{ results: [{ duration, error, stdout }, { duration }] }],
  });
  const inner = { title: "by keyboard", file: "a.spec.ts", specs: [result(250, false)] };
  const report = browserReport({
    stats,
    suites: [{ title: "a.spec.ts", file: "a.spec.ts", specs: [result(500, true)], suites: [inner] }],
  });
  expect(report).toEqual({
    ...{ passed: 3, failed: 3, skipped: 4 },
    failures: [
      "e2e/a.spec.ts: by keyboard › a row is shown: Error: no row\n    at a.spec.ts:1\n" +
        "    page at failure: http://a/b: Internal error",
    ],
    files: [{ file: "e2e/a.spec.ts", seconds: 1.5 }],
  });
});

test("a runner that never wrote its report counts nothing", () => {
  const counts = totalOf([unitReport(undefined), browserReport(undefined)]);
  expect(counts).toEqual({ passed: 0, failed: 0, skipped: 0 });
});

test("the slowest files come first", () => {
  const files = [1, 3, 2].map((seconds) => ({ file: `${seconds}`, seconds }));
  expect(slowest(files, 2).map(({ seconds }) => seconds)).toEqual([3, 2]);
});
