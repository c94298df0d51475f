import { expect, test } from "vitest";
import { database } from "@/lib/store/postgres/database";
import { useOffice } from "@/lib/testing/office";
import { publishText } from "@/lib/testing/publish-text";

const place = await useOffice({ SOURCE_BYTES_SAMPLE: "20000" });
const { call, recipe, register, sample, rest, office } = place;

test("a run with the publisher name of another workspace fails with that code, before it reads anything", async () => {
  const named = recipe((document) => Object.assign(document.publish, { publisher: { name: "Agency of others" } }));
  const dataset = await register("Taken", named);
  const { run_id, result } = await sample(dataset);
  await publishText("of-others", "id\n1\n");
  const { prisma } = await database();
  await prisma.publisher.updateMany({
    where: { datasets: { some: { slug: "of-others" } } },
    data: { slug: "agency-of-others", name: "Agency of others" },
  });
  const { requests } = office;
  // biome-ignore lint/suspicious/noThenProperty: the word of the interface
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest, then: { promote: "private" } });
  expect(await rest(run_id)).toMatchObject({
    state: "failed",
    failure: {
      code: "publisher_taken",
      message: "The publisher name Agency of others is used by another workspace.",
      fix: "Use a different publisher name in the recipe.",
    },
  });
  expect(office.requests).toBe(requests);
  const again = await call("register_recipe", { dataset, recipe: named, dry_run: true });
  expect(again.warnings).toEqual([
    { pointer: "/publish/publisher/name", message: expect.stringContaining("Agency of others is used by another") },
  ]);
  expect(await prisma.version.count({ where: { table: { dataset: { slug: dataset } } } })).toBe(0);
});

test("a sample of a source that was cut off says so: its rows are not complete", async () => {
  const wide = "x".repeat(900);
  office.file = `gauge;level;note\n${Array.from({ length: 60 }, (_, at) => `${at};${at};"${wide}"\n`).join("")}`;
  const dataset = await register(
    "Cut",
    recipe((document) => {
      document.tables[0]?.columns.push({ name: "note", type: "string" });
    }),
  );
  const run = await sample(dataset);
  expect(run).toMatchObject({ state: "awaiting_approval" });
  const [{ rows, of }] = run.result.sampled;
  expect([rows > 10 && rows < 25, of]).toEqual([true, null]);
});
