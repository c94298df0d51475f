import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";

useTestState();

const folder = mkdtempSync(join(tmpdir(), "parquetry-command-"));
const file = join(folder, "a.csv");
const notes = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

beforeAll(() => writeFileSync(file, "id\n1\n"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function publish(...options: string[]) {
  const required = ["--dataset", "d", "--table", "t", "--title", "T", "--publisher", "P", "--license", "CC0-1.0"];
  return callCommand("publish", file, ...required, ...options);
}

const refused: [name: string, options: () => string[], message: RegExp][] = [
  ["an empty title", () => ["--title", "   "], /title/],
  ["a title of two lines", () => ["--title", "Rain\n# Owned"], /title: .*line ends/],
  ["a topic of two lines", () => ["--topics", "a\nb"], /topics\.0: .*line ends/],
  ["a table's name that turns text around", () => ["--table-name", "a\u202eb"], /table\.name: .*direction/],
  [
    "a publisher's address that is no web address",
    () => ["--publisher-url", "javascript:alert(1)"],
    /http:\/\/ or https:\/\//,
  ],
  ["a coverage that is no interval", () => ["--coverage", "rubbish"], /ISO 8601/],
  ["a time that is none", () => ["--published-at", "2024-13-45"], /2024-13-45 is no ISO 8601 time/],
  ["a time still to come", () => ["--published-at", "2999-01-01"], /still to come/],
  ["notes that are no JSON", () => ["--columns", notes("bad.json", "{a}")], /bad\.json must be a JSON list/],
  ["notes that are missing", () => ["--columns", join(folder, "none.json")], /There is no file .*none\.json/],
  [
    "a type that is none",
    () => ["--columns", notes("type.json", '[{"name":"id","type":"bigint"}]')],
    /Use one of boolean, int8 to int64/,
  ],
];

test.each(refused)("%s is refused in words that say what to do", async (_name, options, message) => {
  expect(await publish(...options())).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});

test("a note may say null where it says nothing", async () => {
  const { stdout } = await publish(
    "--columns",
    notes("null.json", '[{"name":"id","type":"int32","unit":null,"description":null}]'),
    "--json",
  );
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "published", rows: 1 });
});
