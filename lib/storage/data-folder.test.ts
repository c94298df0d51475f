import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "@/lib/testing/command";

const root = mkdtempSync(join(tmpdir(), "parquetry-modes-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;

test("a new data folder is inaccessible to other users, and the embedded PostgreSQL works in it", async () => {
  chmodSync(root, 0o755); // as /srv and the like are
  const data = join(root, "made", "data");
  const file = join(root, "a.csv");
  writeFileSync(file, "id\n1\n");
  const names = ["--dataset", "d", "--table", "t", "--title", "T", "--publisher", "P", "--license", "MIT", "--private"];
  const variables = { PARQUETRY_DATA_DIR: data };
  const { stdout } = await runCommand(["key", "create", "--email", "a@example.com", "--json"], variables);
  expect(JSON.parse(stdout)).toMatchObject({ key: expect.any(String) });
  const workspaces = JSON.parse((await runCommand(["workspace", "list", "--json"], variables)).stdout);
  await runCommand(["publish", file, ...names, "--workspace", workspaces[0].id], variables);
  const modeOf = (...path: string[]) => (statSync(join(data, ...path)).mode & 0o777).toString(8);
  expect(modeOf()).toBe(isRoot ? "711" : "700");
  const folders = ["blobs", "copies", "tmp", "postgres/cluster", "postgres/socket"];
  expect(folders.map((path) => modeOf(path))).toEqual(folders.map(() => "700"));
  expect([modeOf("secret"), modeOf("postgres", "password"), modeOf("postgres", "postgres.log")]).toEqual(
    Array(3).fill("600"),
  );
});
