import { expect, test, vi } from "vitest";
import { fail } from "@/lib/kernel/errors";
import { SharedAnswers } from "./shared-answers";

const MINUTE = 60_000;

/** Work that is counted, and ends on request or when its signal aborts. */
function counted() {
  const runs: { end: (value: string) => void; reject: (error: unknown) => void; signal: AbortSignal }[] = [];
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      runs.push({ end: resolve, reject: reject, signal });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { runs, work };
}

test("concurrent callers share one computation, and later ones get the cached answer", async () => {
  const [{ runs, work }, answers] = [counted(), new SharedAnswers<string>(10, MINUTE)];
  const both = [answers.get("x", work), answers.get("x", work)];
  runs[0]?.end("one");
  expect(await Promise.all([...both, answers.get("x", work)])).toEqual(["one", "one", "one"]);
  expect(runs.length).toBe(1);
});

test("the work continues while anyone waits, stops with the last, and restarts for the next", async () => {
  const [{ runs, work }, answers] = [counted(), new SharedAnswers<string>(10, MINUTE)];
  const [one, two] = [new AbortController(), new AbortController()];
  const asked = [one, two].map(({ signal }) => answers.get("x", work, signal).catch((error: unknown) => error));
  one.abort(new Error("gone"));
  expect([await asked[0], runs[0]?.signal.aborted]).toEqual([new Error("gone"), false]);
  two.abort(new Error("gone too"));
  expect([await asked[1], runs[0]?.signal.aborted]).toEqual([new Error("gone too"), true]);
  const again = answers.get("x", work);
  runs[1]?.end("two");
  expect(await again).toBe("two");
});

test("a caller who leaves after the answer does not affect later ones", async () => {
  const [{ runs, work }, answers] = [counted(), new SharedAnswers<string>(10, MINUTE)];
  const gone = new AbortController();
  const asked = answers.get("x", work, gone.signal);
  runs[0]?.end("one");
  await asked;
  gone.abort();
  expect([await answers.get("x", work), runs.length]).toEqual(["one", 1]);
});

test("a timeout is cached for a while, other failures are not", async () => {
  vi.useFakeTimers();
  try {
    const [{ runs, work }, answers] = [counted(), new SharedAnswers<string>(10, MINUTE)];
    const ask = () => answers.get("x", work).catch((error: { code: string }) => error.code);
    const asked = ask();
    runs[0]?.reject(fail("query_timeout"));
    expect([await asked, await ask(), runs.length]).toEqual(["query_timeout", "query_timeout", 1]);
    vi.advanceTimersByTime(MINUTE);
    const afterwards = ask();
    runs[1]?.reject(fail("busy"));
    expect(await afterwards).toBe("busy");
    void ask();
    expect(runs.length).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

test("only the caller who started the work gets busy; those who waited start their own", async () => {
  const [{ runs, work }, answers] = [counted(), new SharedAnswers<string>(10, MINUTE)];
  const code = (error: { code: string }) => error.code;
  const [first, second, third] = [1, 2, 3].map(() => answers.get("x", work).catch(code));
  runs[0]?.reject(fail("busy"));
  expect(await first).toBe("busy");
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.end("two");
  expect([await second, await third, runs.length]).toEqual(["two", "two", 2]);
});

test("answers over the capacity are dropped once, the least recently used first, and never the last", async () => {
  const dropped: string[] = [];
  const kept = { sizeOf: (answer: string) => answer.length, dropped: (answer: string) => void dropped.push(answer) };
  const answers = new SharedAnswers<string>(5, MINUTE, kept);
  const get = (answer: string) => answers.get(answer, () => Promise.resolve(answer));
  for (const answer of ["aaa", "bb", "aaa", "c", "dddddddd"]) await get(answer);
  expect(dropped).toEqual(["bb", "aaa", "c"]);
  answers.drop("dddddddd");
  await get("e");
  expect(dropped).toEqual(["bb", "aaa", "c", "dddddddd"]);
});
