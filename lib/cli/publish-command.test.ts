import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import type { StoredColumn } from "@/lib/schemas/column";
import { listAudit } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
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

test("a table that is too large to be downloaded is published with a warning", async () => {
  const own = env();
  forgetProcessWide("settings");
  processWide("settings", () => ({ ...own, ARTIFACT_BYTES: 100 }));
  try {
    const words = ["--dataset", "large", "--table", "t", "--title", "T", "--publisher", "P", "--license", "CC0-1.0"];
    const { code, stderr } = await callCommand("publish", file, ...words);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Warning: .* cannot be downloaded .*100 B\b.*413/)]);
  } finally {
    forgetProcessWide("settings");
    processWide("settings", () => own);
  }
});

const rejected: [name: string, options: () => string[], message: RegExp][] = [
  ["an empty title", () => ["--title", "   "], /title/],
  ["a title of two lines", () => ["--title", "Rain\n# Owned"], /title: .*line breaks/],
  ["a topic of two lines", () => ["--topics", "a\nb"], /topics\.0: .*line breaks/],
  ["a table's name that turns text around", () => ["--table-name", "a\u202eb"], /table\.name: .*direction/],
  [
    "a publisher's address that is no web address",
    () => ["--publisher-url", "javascript:alert(1)"],
    /http:\/\/ or https:\/\//,
  ],
  ["a coverage that is no interval", () => ["--coverage", "rubbish"], /ISO 8601/],
  ["a time that is none", () => ["--published-at", "2024-13-45"], /2024-13-45 is not an ISO 8601 time/],
  ["a time still to come", () => ["--published-at", "2999-01-01"], /in the future/],
  ["notes that are no JSON", () => ["--columns", notes("bad.json", "{a}")], /bad\.json must be a JSON list/],
  ["notes that are missing", () => ["--columns", join(folder, "none.json")], /File not found: .*none\.json/],
  [
    "a type that is none",
    () => ["--columns", notes("type.json", '[{"name":"id","type":"bigint"}]')],
    /Use one of boolean, int8 to int64/,
  ],
];

test.each(rejected)("%s is rejected with advice", async (_name, options, message) => {
  expect(await publish(...options())).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});

test("a null in a column note means absent", async () => {
  const { stdout } = await publish(
    "--columns",
    notes("null.json", '[{"name":"id","type":"int32","unit":null,"description":null}]'),
    "--json",
  );
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "published", rows: 1 });
});

describe("only the given options change", () => {
  const csv = (name: string, content: string) => notes(name, content);
  const stored = async (slug: string) => {
    const { prisma } = await database();
    const include = { publisher: true, tables: { include: { currentVersion: { omit: { profiles: true } } } } } as const;
    const found = await prisma.dataset.findUniqueOrThrow({ where: { slug }, include });
    const version = found.tables[0]?.currentVersion;
    return { ...found, version, columns: version?.columns as unknown as StoredColumn[] };
  };
  const full = [
    "--title",
    "Levels",
    "--publisher",
    "Board",
    "--publisher-url",
    "https://board.example/",
    "--license",
    "MIT",
  ];
  const texts = [
    "--topics",
    "water, rivers",
    "--summary",
    "S",
    "--coverage",
    "2001-01-01/2001-06-30",
    "--source",
    "https://s.example/",
  ];

  test("a first publication without required fields fails with one error that lists all of them", async () => {
    const file = csv("new.csv", "id\n1\n");
    const { code, stderr } = await callCommand("publish", file, "--dataset", "new", "--table", "t");
    expect(code).toBe(1);
    expect(stderr).toMatch(/new is new.*title, publisher, license/);
    for (const option of ["--title", "--publisher", "--license"]) expect(stderr).toContain(`give ${option}.`);
    const some = await callCommand("publish", file, "--dataset", "new", "--table", "t", "--title", "T");
    expect(some.stderr).toMatch(/requires publisher, license/);
  });

  test("a second file changes only the rows, not metadata, types, order or key", async () => {
    const names = ["--dataset", "levels", "--table", "daily", "--json"];
    const declared = notes(
      "levels.json",
      '[{"name":"id","type":"int32","description":"The id","unit":"1"},{"name":"zip","type":"string"}]',
    );
    const order = ["--order-by", "id", "--primary-key", "id", "--table-name", "Daily", "--columns", declared];
    await callCommand(
      "publish",
      csv("1.csv", "id,zip,level\n2,0123,1.5\n1,0456,2\n"),
      ...names,
      ...full,
      ...texts,
      ...order,
    );
    const before = await stored("levels");
    const second = csv("2.csv", "id,zip,level\n3,99,7\n1,12,8\n");
    expect(JSON.parse((await callCommand("publish", second, ...names)).stdout)).toMatchObject({ change: "restated" });
    const after = await stored("levels");
    const said = ({ title, summary, license, topics, sources, temporalCoverage, publisher }: typeof before) => ({
      ...{ title, summary, license, topics, sources, temporalCoverage, publisher },
    });
    expect(said(after)).toEqual(said(before));
    expect(after.columns).toEqual(before.columns);
    expect(after.columns.map(({ type }) => type)).toEqual(["int32", "string", "float64"]);
    expect([after.version?.orderBy, after.version?.primaryKey, after.tables[0]?.name]).toEqual([
      ["id"],
      ["id"],
      "Daily",
    ]);
    await callCommand("publish", second, ...names, "--topics", "", "--title", "Levels of rivers", "--primary-key", "");
    const given = await stored("levels");
    expect([given.title, given.topics, given.summary, given.version?.primaryKey]).toEqual([
      "Levels of rivers",
      [],
      "S",
      [],
    ]);
    const note = notes("note.json", '[{"name":"level","unit":"m"},{"name":"id","description":""}]');
    await callCommand("publish", second, ...names, "--columns", note);
    expect((await stored("levels")).columns.map(({ name, description, unit }) => [name, description, unit])).toEqual([
      ["id", null, "1"],
      ["zip", null, null],
      ["level", null, "m"],
    ]);
  });

  test("a column keeps its type while every cell fits it, otherwise the type is inferred again", async () => {
    const names = ["--dataset", "kept", "--table", "t", "--json"];
    await callCommand("publish", csv("k1.csv", "x,y\n1.5,2\n"), ...names, ...full);
    await callCommand("publish", csv("k2.csv", "x,y\n1,3\n"), ...names);
    expect((await stored("kept")).columns.map(({ type }) => type)).toEqual(["float64", "int64"]);
    const { stdout } = await callCommand("publish", csv("k3.csv", "x,y\n1,3.5\n"), ...names);
    expect(JSON.parse(stdout)).toMatchObject({ change: "breaking" });
    expect((await stored("kept")).columns.map(({ type }) => type)).toEqual(["float64", "float64"]);
  });

  test("the log records publications and changes, and nothing if nothing changed", async () => {
    const names = ["--dataset", "logged", "--table", "t", "--json"];
    const file = csv("l.csv", "id\n1\n");
    const told = async () =>
      (await listAudit({ limit: 1000 }))
        .filter(({ subject, details }) => subject === "logged" || details.dataset === "logged")
        .map(({ action, actor, details }) => [action, actor, details.changed ?? details.change ?? null])
        .reverse();
    const { stdout } = await callCommand("publish", file, ...names, ...full);
    const first = [
      ["dataset.created", "operator", null],
      ["version.published", "operator", "first"],
    ];
    expect((await told()).sort()).toEqual(first);
    await callCommand("publish", file, ...names);
    await callCommand("dataset", "edit", "logged", "--title", "Levels", "--publisher", "Board");
    expect(await told()).toHaveLength(2);
    const edited = await callCommand(
      "dataset",
      "edit",
      "logged",
      "--title",
      "T2",
      "--license",
      "MIT",
      "--coverage",
      "2001",
      "--json",
    );
    expect(JSON.parse(edited.stdout)).toEqual({ dataset: "logged", changed: ["title", "temporalCoverage"] });
    expect((await told()).at(-1)).toEqual(["dataset.edited", "operator", ["title", "temporalCoverage"]]);
    const { version_id } = JSON.parse(stdout);
    expect((await stored("logged")).version?.id).toBe(version_id);
  });
});

describe("column edit", () => {
  const names = ["--dataset", "edited", "--table", "t", "--json"];
  const edit = (...args: string[]) => callCommand("column", "edit", "edited", "t", ...args);

  test("publishes the current rows as a version that differs only in the note", async () => {
    const path = notes(
      "e.ndjson",
      '{"a":{"x":1},"b":[1,2],"c":"2024-01-01","d":1.5,"e":null,"f":"x"}\n' +
        '{"a":3,"b":[],"c":"2024-02-01","d":-0.0,"e":true,"f":""}\n',
    );
    const full = ["--title", "E", "--publisher", "P", "--license", "MIT", "--primary-key", "c"];
    const first = JSON.parse((await callCommand("publish", path, ...names, ...full)).stdout);
    const receipt = JSON.parse((await edit("d", "--unit", "m", "--description", "Level", "--json")).stdout);
    expect(receipt).toMatchObject({ outcome: "published", change: "metadata", rows: 2 });
    const { prisma } = await database();
    const versionOf = (id: string) => prisma.version.findUniqueOrThrow({ where: { id } });
    const [before, after] = [await versionOf(first.version_id), await versionOf(receipt.version_id)];
    const columns = before.columns as unknown as StoredColumn[];
    expect(after.columns).toEqual(
      columns.map((each) => (each.name === "d" ? { ...each, description: "Level", unit: "m" } : each)),
    );
    expect([after.profiles, after.orderBy, after.primaryKey]).toEqual([
      before.profiles,
      before.orderBy,
      before.primaryKey,
    ]);
    const away = JSON.parse((await edit("d", "--unit", "", "--json")).stdout);
    expect((await versionOf(away.version_id)).columns).toContainEqual({ ...columns[3], description: "Level" });
    expect(JSON.parse((await edit("d", "--description", "Level", "--json")).stdout)).toMatchObject({
      outcome: "unchanged",
    });
  });

  test.each<[string, string[], RegExp]>([
    ["an unknown column", ["z", "--unit", "m"], /Unknown column: z\. The table has a, b, c/],
    ["nothing to change", ["d"], /Nothing to change/],
  ])("%s is rejected", async (_name, args, message) => {
    expect(await edit(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  });
});
