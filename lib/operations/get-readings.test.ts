import { expect, test } from "vitest";
import { freshnessText, isRead, readingText } from "@/lib/describe/freshness-text";
import { formatDay } from "@/lib/kernel/format";
import type { TableReadings } from "@/lib/schemas/readings";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { recordedDataset } from "@/lib/testing/recorded-dataset";
import { call } from "@/lib/testing/signed-in";
import { getReadings } from "./get-readings";

useTestState();

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** A public dataset whose source was read, and once could not be read. */
async function read(publish: object) {
  const dataset = await recordedDataset({ refresh: { every: "P1D" }, publish }, ago(5));
  await dataset.read(ago(4), [{ source: "source", how: "first" }], { kind: "build" });
  const { tableId } = await dataset.release("rows", ago(4));
  await dataset.read(ago(2), [{ source: "source", how: "new_rows" }]);
  await dataset.read(ago(0.02), [{ source: "source", how: "failed" }], { failed: true });
  const { prisma } = await database();
  const publisher = { create: { slug: dataset.slug, name: dataset.slug } };
  const shown = { visibility: "public" as const, license: "CC0-1.0", publisher };
  await prisma.dataset.update({ where: { id: dataset.datasetId }, data: shown });
  return { table_id: tableId };
}

test("everybody can see when a public table's source was read and what was found, oldest first", async () => {
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
  expect(freshnessText(body.freshness).join(" ")).toMatch(
    /^Nothing declares when its source is updated.*The last change was on .*The last refresh failed; the current release is still served\./,
  );
});

test("a replayed release is reported as such, never as if the source had been read then", async () => {
  const path = await read({});
  const { prisma } = await database();
  const { datasetId } = await prisma.table.findUniqueOrThrow({ where: { id: path.table_id } });
  const installed = { folder: "mime-db-1-54", version: "1.54.0", at: ago(4).toISOString() };
  await prisma.run.updateMany({ where: { datasetId }, data: { plan: { installed } } });
  await prisma.runEvent.updateMany({ where: { run: { datasetId } }, data: { message: "replayed" } });
  const { body } = await call(getReadings, path, {});
  const [source] = body.sources as TableReadings["sources"];
  expect(source?.readings.map(({ replayed }) => replayed)).toEqual(["1.54.0", "1.54.0", "1.54.0"]);
  expect(body.freshness).toMatchObject({ state: "unknown", reason_code: "no_observation", last_observed_at: null });
  const day = formatDay(ago(2).toISOString());
  expect(freshnessText(body.freshness).join(" ")).toContain(
    `Its sources have not been read yet: the last change is that of a replayed release of ${day}.`,
  );
  const changed = source?.readings[1];
  expect(changed && readingText(changed)).toBe(`different rows; replayed: 1.54.0 was released on ${day}`);
  expect(isRead(body.freshness)).toBe(true);
});

test("a table that its publisher prepared has no readings, and no statement about freshness", async () => {
  const { prisma } = await database();
  const path = await read({});
  const table = await prisma.table.findUniqueOrThrow({ where: { id: path.table_id } });
  await prisma.build.delete({ where: { datasetId: table.datasetId } });
  const { body } = await call(getReadings, path, {});
  expect(body.sources).toEqual([]);
  expect(isRead(body.freshness)).toBe(false);
});
