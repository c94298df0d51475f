import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { caseRecipe } from "@/lib/builds/steps/examples";
import { parseExact } from "@/lib/engine/types/exact-number";
import { buildFrom } from "@/lib/testing/build-fixture";
import { propertyParameters } from "@/lib/testing/property";
import { randomColumn } from "@/lib/testing/random-cells";
import { NOTATIONS, randomNumber, written } from "@/lib/testing/random-numbers";
import { useReading } from "@/lib/testing/read-file";
import { CELLS_CASES, type ColumnRead, MARKS_CASES } from "@/lib/testing/text-cells";
import type { ColumnFound } from "./column-found";
import { inspectColumns } from "./columns";
import { columnWarnings } from "./inspect-records";
import { suggestedTable } from "./suggested-table";

const { read } = useReading();
const rowOf = (at: number) => at + 1;
const given = (cells: readonly string[]) => cells.map((cell) => (cell === "" ? null : cell));

const inspected = (name: string, cells: readonly string[]): ColumnFound => {
  const [found] = inspectColumns([{ name, cells: given(cells) }], { delimiter: ",", rowOf });
  if (!found) throw new Error("One column is inspected");
  return found;
};

/** What a run of the proposed steps makes of the columns `c0, c1, …`, which may have different lengths. */
async function run(columns: readonly (readonly string[])[], found: readonly ColumnFound[]): Promise<ColumnRead[]> {
  const rows = Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, row) =>
    columns.map((cells) => cells[row] || null),
  );
  const { steps, columns: promised } = suggestedTable(found);
  const recipe = caseRecipe({ steps: steps as { step: string }[] });
  const built = await buildFrom(recipe, { input: { columns: found.map(({ name }) => name), rows } });
  expect(built.outcome.failure).toBeNull();
  expect(built.outcome.rejects).toEqual([]);
  const types = built.outcome.files[0]?.columns.map(({ type }) => type) ?? [];
  const untyped = promised.flatMap(({ type }, at) => (type === "string" ? [] : [[at, type]]));
  expect(untyped).toEqual(untyped.map(([at]) => [at, types[Number(at)]]));
  return columns.map((cells, at) => ({
    type: types[at] ?? "",
    values: (built.rows.result ?? []).slice(0, cells.length).map((row) => row[at] ?? null),
  }));
}

describe("the table of text cells, by the steps that an inspection proposes:", () => {
  const found = CELLS_CASES.map(({ cells }, at) => inspected(`c${at}`, cells));
  let ran: Promise<ColumnRead[]> | undefined;
  test.each(CELLS_CASES.map((each, at) => ({ ...each, at })))("$name", async ({ at, published, proposed, warns }) => {
    ran ??= run(
      CELLS_CASES.map(({ cells }) => cells),
      found,
    );
    expect((await ran)[at]).toEqual(proposed ?? published);
    const warnings = columnWarnings(found.slice(at, at + 1)).join("\n");
    if (warns === undefined) expect(warnings).toBe("");
    for (const words of warns ?? []) expect(warnings).toContain(words);
  });
});

test.each(MARKS_CASES)("$name: a file's columns decide together, or a person is asked", async (each) => {
  const columns = Object.entries(each.columns).map(([name, cells]) => ({ name, cells: given(cells) }));
  const found = inspectColumns(columns, { delimiter: each.delimiter, rowOf });
  const values = await run(Object.values(each.columns), found);
  expect(Object.fromEntries(columns.map(({ name }, at) => [name, values[at]]))).toEqual(each.proposed);
  const asking = columnWarnings(found).filter((warning) => warning.includes("A person must choose"));
  expect(asking.map((warning) => JSON.parse(warning.slice(0, warning.indexOf(":"))))).toEqual(each.asked);
});

test("any cells: what publishing types is proposed alike, no run fails, no value is lost unsaid", async () => {
  const columns = fc.array(randomColumn, { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(columns, async (all) => {
      const found = all.map((cells, at) => inspected(`c${at}`, cells));
      const ran = await run(all, found);
      const height = Math.max(...all.map(({ length }) => length));
      const cell = (text: string) => (text === "" ? "" : `"${text.replaceAll('"', '""')}"`);
      const lines = Array.from({ length: height }, (_, row) => all.map((cells) => cell(cells[row] ?? "")).join(","));
      const { types, rows } = await read("a.csv", `${found.map(({ name }) => name).join(",")}\n${lines.join("\n")}\n`);
      for (const [at, cells] of all.entries()) {
        const published = { type: types[`c${at}`], values: rows.slice(0, cells.length).map((row) => row[at]) };
        if (published.type !== "string") expect([cells, ran[at]]).toEqual([cells, published]);
        const lost = cells.filter((text, row) => text !== "" && ran[at]?.values[row] == null);
        const told = found[at]?.tokens.reduce((sum, token) => sum + token.cells, 0);
        expect([cells, lost.length]).toEqual([cells, told]);
      }
    }),
    propertyParameters(2),
  );
});

test("numbers of every notation keep their digits, or a person is asked", async () => {
  const columns = fc.array(
    fc.record({
      notation: fc.constantFrom(...NOTATIONS),
      numbers: fc.array(randomNumber, { minLength: 1, maxLength: 8 }),
    }),
    { minLength: 40, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(columns, async (all) => {
      const cells = all.map(({ notation, numbers }) => numbers.map((number) => written(number, notation)));
      const found = cells.map((column, at) => {
        // no delimiter that says anything
        const [one] = inspectColumns([{ name: `c${at}`, cells: column }], { delimiter: "\t", rowOf });
        return one as ColumnFound;
      });
      const ran = await run(cells, found);
      for (const [at, { numbers }] of all.entries()) {
        const asked = found[at]?.warnings.some((warning) => warning.includes("A person must choose"));
        if (asked || ran[at]?.type === "string") expect(ran[at]).toEqual({ type: "string", values: cells[at] });
        else expect([cells[at], ran[at]?.values.map(exactly)]).toEqual([cells[at], numbers.map(exactly)]);
      }
    }),
    propertyParameters(2),
  );
});

const exactly = (text: string | null) => parseExact(text?.replace("e+", "e") ?? "");

test("a run that infers types by itself leaves unclear points as text, too", async () => {
  const reader = { format: "csv", options: { delimiter: ";" } };
  const infers = async (columns: Record<string, string[]>) => {
    const recipe = JSON.parse(caseRecipe({ steps: [] })) as { sources: object[] };
    recipe.sources = recipe.sources.map((source) => ({ ...source, reader }));
    const cells = {
      columns: Object.keys(columns),
      rows: [0, 1].map((row) => Object.values(columns).map((c) => c[row] ?? null)),
    };
    const built = await buildFrom(JSON.stringify(recipe), { input: cells });
    return built.outcome.files[0]?.columns.map(({ type }) => type);
  };
  expect(await infers({ a: ["1.234", "12.500"] })).toEqual(["string"]);
  expect(await infers({ a: ["1.234", "12.500"], b: ["0.5", "7"] })).toEqual(["float64", "float64"]);
});
