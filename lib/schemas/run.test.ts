import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RUN_EVENT_KINDS, RUN_FAILURES } from "./run";

const code = ["worker", "store", "operations", "sources", "sandbox", "builds"]
  .flatMap((folder) =>
    readdirSync(join("lib", folder), { recursive: true, encoding: "utf8" }).map((name) => join("lib", folder, name)),
  )
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .map((path) => readFileSync(path, "utf8"))
  .join();

test("every kind of event and every failure code of a run is written somewhere", () => {
  const named = [...RUN_EVENT_KINDS, ...Object.keys(RUN_FAILURES)];
  expect(named.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
});
