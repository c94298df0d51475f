import { expect, test } from "vitest";
import { freshnessWords, isRead } from "@/lib/describe/freshness-words";
import { database } from "@/lib/store/database";
import { useTestState } from "@/lib/testing/database";
import { recordedDataset } from "@/lib/testing/recorded-dataset";
import { call } from "@/lib/testing/signed-in";
import { getReadings } from "./get-readings";

useTestState();

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** A public dataset whose source was read and once could not be. */
async function read(publish: object) {
  const dataset = await recordedDataset({ refresh: { every: "P1D" }, publish }, ago(5));
  await dataset.read(ago(4), [{ source: "source", how: "first" }], { kind: "build" });
  const { tableId } = await dataset.release("rows", ago(4));
  await dataset.read(ago(2), [{ source: "source", how: "new_rows" }]);
  await dataset.read(ago(0.1), [{ source: "source", how: "failed" }], { failed: true });
  const { prisma } = await database();
  const publisher = { create: { slug: dataset.slug, name: dataset.slug } };
  const shown = { visibility: "public" as const, license: "CC0-1.0", publisher };
  await prisma.dataset.update({ where: { id: dataset.datasetId }, data: shown });
  return { table_id: tableId };
}

test("everybody reads when a public table's source was read and what was seen, oldest first", async () => {
  const path = await read({});
  const { status, body } = await call(getReadings, path, {});
  expect(status).toBe(200);
  expect(body.sources).toMatchObject([
    {
      name: "source",
      readings: [
        { ok: true, changed: null },
        { ok: true, changed: true },
        { ok: false, changed: null },
      ],
    },
  ]);
  expect(body.freshness).toMatchObject({ state: "learning", last_good_after_failed_refresh: true });
  expect(freshnessWords(body.freshness).join(" ")).toMatch(
    /^No schedule is declared.*The last change was seen on .*The last refresh failed; this is the last good release\./,
  );
});

test("a table whose publisher prepared it has no readings, and nothing is said of it", async () => {
  const { prisma } = await database();
  const path = await read({});
  const table = await prisma.table.findUniqueOrThrow({ where: { id: path.table_id } });
  await prisma.build.delete({ where: { datasetId: table.datasetId } });
  const { body } = await call(getReadings, path, {});
  expect(body.sources).toEqual([]);
  expect(isRead(body.freshness)).toBe(false);
});
