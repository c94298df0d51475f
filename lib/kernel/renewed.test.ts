import { expect, test } from "vitest";
import { Renewed } from "./renewed";

/** A value that is made on request, from the state at that time. */
function told() {
  const state = { key: "a", made: 0, ends: [] as (() => void)[], fails: false, replaced: [] as string[] };
  const value = new Renewed(
    async () => ({
      key: state.key,
      async make() {
        const { key, fails } = state;
        state.made += 1;
        await new Promise<void>((resolve) => state.ends.push(resolve));
        if (fails) throw new Error(`no ${key}`);
        return `${key}${state.made}`;
      },
    }),
    (old) => state.replaced.push(old),
  );
  return { state, value };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a value is made once for all concurrent callers, and kept until its key changes", async () => {
  const { state, value } = told();
  const asked = [value.get("a"), value.get("a")];
  await turn();
  asked.push(value.get("a"));
  state.ends[0]?.();
  expect(await Promise.all(asked)).toEqual(["a1", "a1", "a1"]);
  expect(await value.get("a")).toBe("a1");
  state.key = "b";
  const next = value.get("b");
  await turn();
  expect(state.replaced).toEqual([]);
  state.ends[1]?.();
  expect([await next, state.made, state.replaced]).toEqual(["b2", 2, ["a1"]]);
});

test("callers who request a newer key than the one being made share the next value", async () => {
  const { state, value } = told();
  state.fails = true;
  const first = value.get("a").catch((error: Error) => error.message);
  await turn();
  Object.assign(state, { key: "b", fails: false });
  const newer = [value.get("b"), value.get("b")];
  await turn();
  expect(state.made).toBe(1);
  state.ends[0]?.();
  expect(await first).toBe("no a");
  await turn();
  state.ends[1]?.();
  expect(await Promise.all(newer)).toEqual(["b2", "b2"]);
});
