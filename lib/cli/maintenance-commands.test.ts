import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { listAudit } from "@/lib/store/audit";
import { callCommand, runCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";

const state = useTestState();
const empty = mkdtempSync(join(tmpdir(), "parquetry-empty-"));
afterAll(() => rmSync(empty, { recursive: true, force: true }));

const maintenance = (...args: string[]) => callCommand("maintenance", ...args);
const json = async (...args: string[]) => JSON.parse((await maintenance(...args, "--json")).stdout);

test("on, status and off print the current mode, and the audit log has both changes", async () => {
  expect(await json("status")).toEqual({ state: "off" });
  const on = { state: "on", message: "Back at noon.", retry_after_seconds: 60 };
  expect(await json("on", "--message", "Back at noon.", "--retry-after", "60")).toMatchObject(on);
  const { since } = await json("status");
  expect(await json("on", "--message", "Back at one.")).toEqual({
    state: "on",
    message: "Back at one.",
    retry_after_seconds: 300,
    since,
  });
  expect(existsSync(join(state.dataDir(), "maintenance.json"))).toBe(false); // a row, for every data folder
  expect(await json("off")).toEqual({ state: "off" });
  expect(await json("off")).toEqual({ state: "off" });
  const entries = (await listAudit({ limit: 10 })).map(({ action, actor, details }) => [action, actor, details.state]);
  expect(entries).toEqual(["off", "on", "on"].map((what) => ["service.maintenance", "operator", what]));
});

test.each([
  [["on", "--retry-after", "0"], /retry_after/],
  [["on", "--retry-after", "soon"], /retry_after/],
  [["on", "--message", "two\nlines"], /single line/],
  [["on", "--message", "  "], /message/],
])("%s is rejected, and maintenance remains off", async (args, message) => {
  expect(await maintenance(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  expect(await json("status")).toEqual({ state: "off" });
});

test("works while the database is down, and says that the audit log lacks the entry", async () => {
  const down = { PARQUETRY_DATA_DIR: state.dataDir(), DATABASE_URL: "postgresql://nobody:x@127.0.0.1:9/none" };
  expect((await runCommand(["maintenance", "on"], down)).stderr).toMatch(
    /Not recorded in the audit log: The database cannot be reached/,
  );
  expect(existsSync(join(state.dataDir(), "maintenance.json"))).toBe(true);
  expect(JSON.parse((await runCommand(["maintenance", "status", "--json"], down)).stdout)).toMatchObject({
    state: "on",
  });
  expect((await runCommand(["maintenance", "off"], down)).stderr).toMatch(/with this data folder only/);
  expect(existsSync(join(state.dataDir(), "maintenance.json"))).toBe(false);
});

test("does not create a missing database", async () => {
  expect((await runCommand(["maintenance", "on"], { PARQUETRY_DATA_DIR: empty })).stderr).toContain(
    "the database does not exist yet",
  );
  expect(readdirSync(empty)).toEqual(["maintenance.json"]);
});
