import { resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { fromHere } from "./from-here";

afterEach(() => void vi.unstubAllEnvs());

test("a relative path lies where the command was typed, also when npm runs it in the project's folder", () => {
  vi.stubEnv("INIT_CWD", "/home/ada/study");
  expect([fromHere("rows.csv"), fromHere("/data/rows.csv")]).toEqual(["/home/ada/study/rows.csv", "/data/rows.csv"]);
  vi.stubEnv("INIT_CWD", undefined);
  expect(fromHere("rows.csv")).toBe(resolve("rows.csv"));
});
