import { expect, test } from "vitest";
import { CHECK_EXAMPLES } from "@/lib/builds/checks/examples";
import { readReader, readSource } from "@/lib/builds/document/source-shape";
import { readTree } from "@/lib/builds/document/tree";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { oneLine } from "./one-line";
import { READER_EXAMPLES } from "./reader-examples";
import { SOURCE_EXAMPLES } from "./source-examples";
import { stepExample } from "./step-examples";

const treeOf = (value: unknown) => readTree(JSON.stringify(value));

test.each(Object.entries(SOURCE_EXAMPLES))("the example of the source %s is valid", (_, source) => {
  expect(readSource(treeOf(source), "").faults).toEqual([]);
});

test("each format has examples, and they are valid options", () => {
  expect(Object.keys(READER_EXAMPLES)).toEqual(Object.keys(READER_OPTIONS));
  for (const [format, examples] of Object.entries(READER_EXAMPLES))
    for (const options of examples) expect(readReader(treeOf({ format, options }), "").faults).toEqual([]);
});

test("a one-line example is read back as the same value", () => {
  const odd = { "1": "1", null: "null", a: ["", " ", "a: b", "2026-01-01", "#x", "y", "5%"], b: [true, null, -1.5] };
  const steps = Object.keys(STEP_KINDS).map(stepExample);
  const checks = Object.values(CHECK_EXAMPLES).map(({ check }) => check);
  expect(steps).not.toContain(undefined);
  for (const value of [odd, ...steps, ...checks, ...Object.values(SOURCE_EXAMPLES)])
    expect(readTree(`- ${oneLine(value)}`)).toEqual([treeOf(value)]);
});
