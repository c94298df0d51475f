import { describe, expect, test } from "vitest";
import { checkTree } from "@/lib/builds/check-recipe";
import { readTree } from "@/lib/builds/document/tree";
import type { InspectionReply } from "@/lib/schemas/inspection";
import { type ColumnChoice, proposedColumns, publishedRecipe } from "./published-recipe";

const column = (name: string, type: string, more: object = {}) => ({
  ...{ name, type, why: "", nulls: 0, null_tokens: [], distinct: 3, examples: [] },
  ...more,
});

const found = {
  ...{ inspection_id: "i", state: "done", next: "" },
  source: { name: "x", kind: "upload", upload: "levels.csv", reader: { format: "csv", options: { delimiter: ";" } } },
  columns: [
    column("Station", "string"),
    column("Nr", "int64"),
    column("Level", "float64", { number: { decimal: ",", thousands: ["."] }, null_tokens: ["-"] }),
    column("Day", "date", { date: ["%d/%m/%Y", "%m/%d/%Y"] }),
  ],
  table: {
    steps: [
      { step: "parse", columns: ["Nr"], as: "int64" },
      {
        ...{ step: "parse", columns: ["Level"], as: "float64" },
        ...{ number: { decimal: ",", thousands: ["."] }, null_tokens: ["-"] },
      },
    ],
    columns: [
      { name: "Station", type: "string" },
      { name: "Nr", type: "int64" },
      { name: "Level", type: "float64" },
      { name: "Day", type: "string" },
    ],
  },
} as unknown as InspectionReply;

const WORDS = { title: "Levels", summary: "", license: "CC0-1.0", publisher: "Me" };

/** The recipe's only table, and the faults of the recipe. */
function published(change: (column: ColumnChoice) => Partial<ColumnChoice> = () => ({})) {
  const columns = proposedColumns(found).map((choice) => ({ ...choice, ...change(choice) }));
  const text = publishedRecipe(found, { ...WORDS, columns });
  const { recipe } = checkTree(readTree(text), new Map());
  return recipe.tables[0];
}

const only = (name: string, choice: Partial<ColumnChoice>) => (each: ColumnChoice) =>
  each.found === name ? choice : {};

describe("a recipe from a person's choices is valid", () => {
  test("without a change it is what was proposed", () => {
    expect(published()).toMatchObject({ title: "Levels", steps: found.table?.steps, columns: found.table?.columns });
  });

  test("a column of another type leaves the proposed step, and keeps its formats", () => {
    expect(published(only("Nr", { type: "string" }))?.steps).toEqual([expect.objectContaining({ columns: ["Level"] })]);
    expect(published(only("Level", { type: "decimal(9,2)" }))?.steps).toEqual([
      expect.objectContaining({ columns: ["Nr"] }),
      expect.objectContaining({
        ...{ step: "parse", columns: ["Level"], as: "decimal(9,2)", null_tokens: ["-"] },
        number: expect.objectContaining({ decimal: ",", thousands: ["."] }),
      }),
    ]);
  });

  test("values that are no text are cast", () => {
    const typed = { ...found, reader: { format: "parquet", options: {} }, table: { ...found.table, steps: [] } };
    const columns = proposedColumns(typed as InspectionReply).map((choice) => ({
      ...choice,
      ...(choice.found === "Nr" && { type: "string" }),
    }));
    const text = publishedRecipe(typed as InspectionReply, { ...WORDS, columns });
    expect(checkTree(readTree(text), new Map()).recipe.tables[0]?.steps).toEqual([
      expect.objectContaining({ step: "cast", columns: { Nr: "string" } }),
    ]);
  });

  test("days that can be read in two ways are read in the way that was chosen", () => {
    const steps = published(only("Day", { type: "date", dateFormat: "%m/%d/%Y" }))?.steps;
    expect(steps?.at(-1)).toMatchObject({ columns: ["Day"], as: "date", date: { formats: ["%m/%d/%Y"] } });
  });

  test("columns are renamed and left out after they were read, and keys are required", () => {
    const table = published(({ found: name }) =>
      name === "Station"
        ? { name: "station", isKey: true }
        : name === "Day"
          ? { isLeftOut: true, isKey: true }
          : { isRequired: name === "Nr" },
    );
    expect(table?.steps.slice(-2)).toMatchObject([
      { step: "drop", columns: ["Day"] },
      { step: "rename", columns: { Station: "station" } },
    ]);
    expect(table?.columns).toMatchObject([
      { name: "station", type: "string", nullable: false },
      { name: "Nr", type: "int64", nullable: false },
      { name: "Level", type: "float64" },
    ]);
    expect(table?.primary_key).toEqual(["station"]);
  });
});
