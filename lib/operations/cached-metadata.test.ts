import { beforeAll, describe, expect, test } from "vitest";
import { forgetProcessWide } from "@/lib/kernel/process-wide";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { ask } from "@/lib/testing/hosted";
import { publishText } from "@/lib/testing/publish-text";
import { type RecordedDataset, recordedDataset } from "@/lib/testing/recorded-dataset";
import { publishTwoRows } from "@/lib/testing/two-rows";

useTestState();

const sql = async (text: string, ...values: unknown[]) => (await (await database()).pool.query(text, values)).rows;

const AT = new Date("2026-11-01T00:00Z");
let tableId: string;
let built: RecordedDataset;
let builtTable: string;

beforeAll(async () => {
  tableId = await publishTwoRows("prepared");
  built = await recordedDataset({ refresh: { every: "P1D" } });
  await built.read(AT, [{ source: "source", how: "first" }], { kind: "build" });
  ({ tableId: builtTable } = await built.release("rows", AT));
  const publisher = await sql(`SELECT id FROM "Publisher" LIMIT 1`);
  await sql(
    `UPDATE "Dataset" SET visibility = 'public', license = 'CC0-1.0', "publisherId" = $2, "publishedAt" = $3
      WHERE id = $1`,
    ...[built.datasetId, publisher[0].id, AT],
  );
});

const PLACES = (): readonly string[] => [
  "/api/v2/public/datasets/prepared",
  `/api/v2/public/datasets/${built.slug}`,
  "/api/v2/public/datasets",
  `/api/v2/public/tables/${tableId}/schema`,
  `/api/v2/public/tables/${tableId}/preview?limit=3`,
];

const KEPT = [
  "cached-answers",
  "cached-outputs",
  "cached-datasets",
  "cached-tables",
  "cached-keys",
  "public-catalogue",
];

/** The reply at each path: status, tag and body, without what identifies the request. */
const told = () =>
  Promise.all(
    PLACES().map(async (path) => {
      const { status, headers, body } = await ask(path);
      return { path, status, tag: headers.get("etag"), body: { ...body, request_id: undefined } };
    }),
  );

const ofBuilt = (text: string, ...values: unknown[]) => sql(text, built.datasetId, ...values);

/** Each with whether replies change after it. */
const CHANGES: Readonly<Record<string, [change: () => Promise<unknown>, isTold?: false]>> = {
  "another title": [() => sql(`UPDATE "Dataset" SET title = 'Other' WHERE slug = 'prepared'`)],
  "another name of the publisher": [() => sql(`UPDATE "Publisher" SET name = 'Office of Things'`)],
  "another name of a table": [() => sql(`UPDATE "Table" SET name = 'Lines' WHERE id = $1`, tableId)],
  "a label of a version": [() => sql(`UPDATE "Version" SET label = 'a' WHERE "tableId" = $1`, tableId), false],
  "a new version": [() => publishText("prepared", "id,name\n1,a\n2,b\n3,c\n")],
  "a recipe that is not shown": [
    () => ofBuilt(`UPDATE "Build" SET "showsRecipe" = false WHERE "datasetId" = $1`),
    false,
  ],
  "a reading that found something": [
    () => built.read(new Date(AT.getTime() + 86_400_000), [{ source: "source", how: "new_rows" }], { kind: "refresh" }),
  ],
  "a reading that failed": [
    () =>
      built.read(new Date(AT.getTime() + 2 * 86_400_000), [{ source: "source", how: "failed" }], {
        ...{ kind: "refresh", failed: true },
      }),
  ],
  "a refresh that is slowed": [
    () =>
      ofBuilt(
        `INSERT INTO "Schedule" ("datasetId", "revisionId", "slowedAt") VALUES ($1, $2, now())`,
        built.revisionId,
      ),
    false,
  ],
  "another end of what is covered": [
    () => sql(`UPDATE "Release" SET "dataThrough" = '2026-10-31' WHERE "tableId" = $1`, builtTable),
  ],
  "a withdrawn version": [() => sql(`UPDATE "Version" SET "withdrawnAt" = now() WHERE "tableId" = $1`, builtTable)],
  "a withdrawn dataset": [() => sql(`UPDATE "Dataset" SET visibility = 'withdrawn' WHERE slug = 'prepared'`)],
};

describe("metadata from memory is what the database says", () => {
  for (const [name, [change, isTold = true]] of Object.entries(CHANGES))
    test(`after ${name}`, async () => {
      await told();
      const before = await told();
      await change();
      const after = await told();
      for (const each of KEPT) forgetProcessWide(each);
      expect(after).toEqual(await told());
      if (isTold) expect(after).not.toEqual(before);
    });
});
