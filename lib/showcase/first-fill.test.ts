import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { env } from "@/lib/kernel/env";
import { countDatasets } from "@/lib/store/tables";
import { useTestState } from "@/lib/testing/database";
import { fillFirstTime } from "./first-fill";
import { packageFile, showcaseInstalled } from "./package-file";

useTestState();

test("a production install starts with an empty catalogue, says why, and leaves no mark of a fill", async () => {
  const lines: string[] = [];
  const [progress, build] = [() => expect.unreachable(), () => expect.unreachable()];
  await fillFirstTime({ progress, build, say: (line) => lines.push(line), installed: () => false });
  expect(lines).toEqual([expect.stringContaining("showcase packages are not installed")]);
  expect(await countDatasets()).toBe(0);
  expect(readdirSync(env().PARQUETRY_DATA_DIR)).not.toContain("showcase-filling");
});

test("a file of a package that is left out names the command that brings it", () => {
  expect(showcaseInstalled()).toBe(true);
  expect(() => packageFile("mime-db-0-0", "db.json")).toThrow("mime-db-0-0/db.json is not installed. The showcase");
});
