import { expect, test } from "vitest";
import { faultLines } from "./fault-lines";

const TEXT = `schema_version: service-recipe.v1
sources:
  - name: office
    reader: {format: csv}
tables:
  - name: levels
    steps:
      - {step: trim}
      - step: filtre
        a/b: 1
`;

test("a fault is shown at its line: of a value, a key, an item, or what lacks it", async () => {
  const lines = await faultLines(TEXT, [
    "/tables/0/steps/1/step",
    "/tables/0/steps/1/a~1b",
    "/tables/0/steps/0",
    "/sources/0/reader/format",
    "/tables/0/from",
    "/publish",
  ]);
  expect([...lines.values()]).toEqual([9, 10, 8, 4, 6, 1]);
});

test("JSON has lines as well, and what is neither has the line of its first error", async () => {
  expect([...(await faultLines('{\n  "tables": [\n    {"name": 1}\n  ]\n}', ["/tables/0/name"])).values()]).toEqual([
    3,
  ]);
  expect([...(await faultLines("a: 1\nb: 2\nc: ]\nd: [\n", [""])).values()]).toEqual([3]);
});
