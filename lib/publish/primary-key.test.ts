import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { rejection } from "@/lib/testing/engine-fixture";
import { publishTable } from "./publish";

const state = useTestState();
let files = 0;

async function publish(
  dataset: string,
  content: string,
  primaryKey: string[] | undefined,
  types: Record<string, string> = {},
) {
  files += 1;
  const file = join(state.dataDir(), `${files}.csv`);
  writeFileSync(file, content);
  const about = {
    slug: dataset,
    title: "T",
    summary: "s",
    description: "d",
    publisher: { name: "P" },
    license: "MIT",
    topics: [],
  };
  const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
  return await publishTable(
    { file, dataset: about, table: { slug: "t", name: "T" }, columns, ...(primaryKey && { primaryKey }) },
    { now: () => new Date() },
  );
}

const CSV = "a,b,c\n1,x,9\n1,y,8\n2,x,7\n";

test("a key that no two rows share is recorded with the version", async () => {
  const receipt = await publish("keyed", CSV, ["a", "b"]);
  const { prisma } = await database();
  expect((await prisma.version.findUniqueOrThrow({ where: { id: receipt.version_id } })).primaryKey).toEqual([
    "a",
    "b",
  ]);
});

test("a different key for the same rows is a new version with change metadata; the same key is none", async () => {
  const outcomes = [];
  for (const key of [undefined, ["c"], ["c"], ["a", "b"], []])
    outcomes.push((await publish("rekeyed", CSV, key)).change);
  expect(outcomes).toEqual(["first", "metadata", null, "metadata", "metadata"]);
});

test.each<[string, string, string[], Record<string, string>, RegExp]>([
  [
    "two equal keys",
    "a,b\n1,x\n2,x\n3,y\n2,x\n",
    ["a", "b"],
    {},
    /^Rows 2 and 4 have the same primary key: "a" "2", "b" "x"\. Correct the rows, or declare another/,
  ],
  [
    "many equal keys",
    "a,b\n1,x\n1,y\n2,x\n2,y\n",
    ["a"],
    {},
    /^Rows 1 and 2 have the same primary key: "a" "1"\. 2 keys occur more than once\./,
  ],
  ["a null", "a,b\n1,x\n2,\n", ["a", "b"], {}, /^Row 2, column "b": null in the primary key\./],
  ["a long value", `a\n${"z".repeat(200)}\n${"z".repeat(200)}\n`, ["a"], {}, /"a" "z{80}…"/],
])("%s: rejected, and the rows are named", async (name, content, key, types, message) => {
  const failure = await rejection(publish(`rejected-${name.replaceAll(" ", "-")}`, content, key, types));
  expect([failure.code, failure.message]).toEqual(["invalid_value", expect.stringMatching(message)]);
});

test("unknown, duplicate and unsuitable key columns are all reported at once", async () => {
  const failure = await rejection(
    publish("faults", "a,x,j\n1,1.5,[]\n", ["nowhere", "a", "a", "x", "j"], { x: "float64", j: "json" }),
  );
  expect(failure.faults?.map(({ pointer }) => pointer)).toEqual([
    "/primaryKey/0",
    "/primaryKey/2",
    "/primaryKey/3",
    "/primaryKey/4",
  ]);
  const { prisma } = await database();
  expect(await prisma.dataset.count({ where: { slug: "faults" } })).toBe(0);
});
