import { expect, test } from "vitest";
import { draftRecipe } from "@/lib/builds/document/read-recipe";
import { readTree } from "@/lib/builds/document/tree";
import type { InspectionReply } from "@/lib/schemas/inspection";
import { inspectedParts, inspectedRecipe } from "./inspected-recipe";

const found = {
  inspection_id: "i",
  state: "done",
  next: "",
  source: {
    name: "levels",
    kind: "http",
    url: "https://data.example.org/levels.csv?a=1&b=no",
    reader: { format: "csv", options: { delimiter: ";" } },
  },
  table: {
    steps: [{ step: "parse", columns: ["Level: cm"], as: "float64", number: { decimal: ",", thousands: ["."] } }],
    columns: [
      { name: "no", type: "string" },
      { name: "Level: cm", type: "float64" },
    ],
  },
} as unknown as InspectionReply;

test("a recipe from an inspection lacks only what a person must write", () => {
  const { faults } = draftRecipe(readTree(inspectedRecipe([found], "River: levels #1")));
  expect(faults.map(({ pointer }) => pointer)).toEqual(["/publish/license", "/publish/publisher/name"]);
  const stated = inspectedRecipe([{ ...found, licence_hints: ["CC-BY-4.0"] }], "River").replace(
    'name: ""',
    "name: River",
  );
  expect(draftRecipe(readTree(stated)).faults).toEqual([]);
});

test("each further source has its own name and table", () => {
  const { faults, recipe } = draftRecipe(
    readTree(inspectedRecipe([{ ...found, licence_hints: ["MIT"] }, found], "Two").replace('name: ""', "name: River")),
  );
  expect(faults).toEqual([]);
  expect(recipe?.tables.map(({ name, from }) => [name, from])).toEqual([
    ["data", "source"],
    ["data_2", "source_2"],
  ]);
  expect(inspectedParts(found, 2)).toMatch(/^sources:\n {2}- name: source_3\n[\s\S]*\n {4}from: source_3\n/);
});
