import { join, resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { fromHere } from "./from-here";

const ROOT = resolve(import.meta.dirname, "../..");

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("a relative path is resolved where the command was typed, even if npm runs it elsewhere", () => {
  const place = vi.spyOn(process, "cwd").mockReturnValue(ROOT);
  vi.stubEnv("INIT_CWD", "/home/ada/study");
  expect([fromHere("rows.csv"), fromHere("/data/rows.csv")]).toEqual(["/home/ada/study/rows.csv", "/data/rows.csv"]);
  place.mockReturnValue("/home/ada/elsewhere");
  expect(fromHere("rows.csv")).toBe("/home/ada/elsewhere/rows.csv");
  place.mockReturnValue(ROOT);
  vi.stubEnv("INIT_CWD", undefined);
  expect(fromHere("rows.csv")).toBe(join(ROOT, "rows.csv"));
});
