import { expect, test } from "vitest";
import { useOffice } from "@/lib/testing/office";

const place = await useOffice();
const { office, call, recipe, register, sample, rest } = place;

const OPTIONS = { delimiter: ";", header: { rows: [2] }, comment: "#", skip_footer: 1 };

test("what the reader and the steps leave out is shown with a sample and a full run, and can be queried", async () => {
  office.file = "Levels of our gauges\ngauge;level\nA;1\n# moved in May\n\nB;2\nC;300\nSource: the office\n";
  const dataset = await register(
    "Left out",
    recipe(({ sources: [source], tables: [table] }) => {
      if (source) source.reader = { format: "csv", options: OPTIONS };
      table?.steps.push({ step: "filter", filters: [{ column: "level", operator: "lt", value: 100 }] });
    }),
  );
  const { run_id, result } = await sample(dataset);
  const leftOut = [
    ["preamble", 1, false],
    ["comment", 1, false],
    ["blank_row", 1, false],
    ["footer", 1, false],
  ];
  const countsOf = (found: { cause: string; rows: number; loss: boolean }[]) =>
    found.map(({ cause, rows, loss }) => [cause, rows, loss]);
  expect(countsOf(result.left_out)).toEqual(leftOut);
  expect(result.left_out[0]).toMatchObject({
    ...{ source: "office", words: "rows before the header, left out" },
    examples: [{ partition: null, row: 1, column: null, value: "Levels of our gauges" }],
  });
  const steps = [{ table: "levels", step: 1, kind: "filter", from: 3, to: 2 }];
  expect(result.step_rows).toEqual(steps);
  const listed = await call("query_run", { run_id, table: "left_out" });
  expect(listed).toMatchObject({ kind: "rejects", total_rows: 4 });
  const { events } = await call("run_events", { run_id });
  const messages = events.map(({ message }: { message: string }) => message);
  expect(messages).toContain("office: Rows before the header, left out: 1 row");
  expect(messages).toContain("levels: step 2 (filter) leaves out 1 of 3 rows, which the condition excludes");
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  const full = await rest(run_id);
  expect(full).toMatchObject({ state: "sealed", result: { step_rows: steps } });
  expect(countsOf(full.result.left_out)).toEqual(leftOut);
});

test("a reply that states more records than it has fails the sample, by name", async () => {
  office.file = JSON.stringify({ total: 2345, limit: 2, offset: 0, data: [{ gauge: "A", level: 1 }] });
  const dataset = await register(
    "One page",
    recipe(({ sources: [source], tables: [table] }) => {
      if (source) Object.assign(source, { reader: { format: "json", options: { records: "/data" } } });
      if (table) table.steps = [];
    }),
  );
  expect(await sample(dataset)).toMatchObject({
    state: "failed",
    failure: { code: "pages_incomplete", message: expect.stringContaining('2,345 records at "/total"') },
  });
});
