import { expect, test } from "vitest";
import { Admission } from "./admission";
import { Failure } from "./errors";

const NEVER_MS = 60_000;

/** An admission that records the order in which entries are admitted, with functions that end them. */
function noted(slots: number, queueMs = NEVER_MS) {
  const admission = new Admission({ slots, queueMs });
  const entered: string[] = [];
  const leave = new Map<string, () => void>();
  const enter = (subject: string, name: string, signal?: AbortSignal): Promise<void> => {
    const entering = admission.enter(subject, signal).then((leaves) => {
      entered.push(name);
      leave.set(name, leaves);
    });
    entering.catch(() => undefined); // an entry that still waits when its test has ended fails with "busy" later
    return entering;
  };
  const end = async (name: string) => {
    leave.get(name)?.();
    await turn();
  };
  return { entered, enter, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a caller with thirty queries runs two at a time, and another caller's query starts at once", async () => {
  const { entered, enter } = noted(4);
  for (let at = 0; at < 30; at++) void enter("a", `a${at}`);
  await turn();
  expect(entered).toEqual(["a0", "a1"]);
  void enter("b", "b0");
  await turn();
  expect(entered).toEqual(["a0", "a1", "b0"]);
});

test("a free slot goes to the caller who has waited longest since its last turn", async () => {
  const { entered, enter, end } = noted(2);
  for (let at = 0; at < 10; at++) void enter("a", `a${at}`);
  for (let at = 0; at < 3; at++) void enter("b", `b${at}`);
  for (let at = 0; at < 3; at++) void enter("c", `c${at}`);
  await turn();
  expect(entered).toEqual(["a0", "b0"]);
  for (const name of ["a0", "b0", "a1", "b1", "c0", "a2", "b2", "c1"]) await end(name);
  expect(entered).toEqual(["a0", "b0", "a1", "b1", "c0", "a2", "b2", "c1", "a3", "c2"]);
});

test("with a single slot callers take turns too", async () => {
  const { entered, enter, end } = noted(1);
  for (const name of ["a0", "a1", "a2", "a3"]) void enter("a", name);
  void enter("b", "b0");
  await turn();
  for (const name of ["a0", "a1", "b0"]) await end(name);
  expect(entered).toEqual(["a0", "a1", "b0", "a2"]);
});

test("releasing a slot twice frees it once, and a cancelled waiter takes none", async () => {
  const { entered, enter, end } = noted(1);
  const [gone, reason] = [new AbortController(), new Error("gone")];
  void enter("a", "a0");
  const waiting = enter("b", "b0", gone.signal);
  void enter("c", "c0");
  void enter("d", "d0");
  gone.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await end("a0");
  await end("a0");
  expect(entered).toEqual(["a0", "c0"]);
});

test("waiting longer than the queue's limit fails with busy and a retry time, and leaves nothing behind", async () => {
  const { entered, enter, end } = noted(1, 1);
  await enter("a", "a0");
  const rejected = await enter("b", "b0").catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(Failure);
  expect(rejected).toMatchObject({ code: "busy", retryAfterSeconds: 1 });
  await end("a0");
  await enter("a", "a1");
  expect(entered).toEqual(["a0", "a1"]);
});
