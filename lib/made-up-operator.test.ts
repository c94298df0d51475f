import "@/lib/testing/made-up-operator";

import { expect, test } from "vitest";
import { operatorsOffered, operatorText } from "@/components/explorer/view/operator-text";
import { viewSnippets } from "@/components/explorer/view/view-snippets";
import { pageBlocks } from "@/lib/docs/contents";
import { operatorsFor } from "@/lib/engine/types/column-types";
import type { OperatorName } from "@/lib/engine/types/operators";
import { openApiDocument } from "@/lib/openapi/document";
import { ask, column, openFixture, seal } from "@/lib/testing/engine-fixture";
import { filterFaults, filterOn } from "@/lib/view/filter-values";
import { viewQuery } from "@/lib/view/view";
import { readView } from "@/lib/view/view-address";
import { readSettings } from "./kernel/env";
import { Failure } from "./kernel/errors";

const OUTSIDE = "outside" as OperatorName;

test("queries accept it, and reject invalid values by name", async () => {
  const fixture = await openFixture("made-up-operator");
  const columns = [column("n", "int32", "INTEGER"), column("word", "string", "VARCHAR")];
  const version = await seal(fixture, "numbers", "SELECT i::INTEGER AS n, 'x' AS word FROM range(10) r(i)", columns);
  const filtered = async (on: string, value: unknown) =>
    (await ask(fixture.engine, version, { columns: ["n"], filters: [{ column: on, operator: "outside", value }] }))
      .reply;
  expect((await filtered("n", [2, 7])).rows).toEqual([{ n: 0 }, { n: 1 }, { n: 8 }, { n: 9 }]);
  const rejected = async (on: string, value: unknown) => {
    const error = await filtered(on, value).then(Promise.reject, (cause: unknown) => cause);
    return error instanceof Failure ? error.faults[0]?.message : error;
  };
  expect(await rejected("n", 2)).toMatch(/^outside takes an array of two values/);
  expect(await rejected("n", [7, 2])).toMatch(/^The first value must not be greater than the second/);
  expect(await rejected("word", ["a", "b"])).toMatch(/^outside does not apply to "word"/);
  await fixture.close();
});

test("schemas, OpenAPI and the docs list it", () => {
  expect([operatorsFor("int32").includes("outside"), operatorsFor("string").includes("outside")]).toEqual([
    true,
    false,
  ]);
  expect(JSON.stringify(openApiDocument("https://data.example.org"))).toContain("is_not_null, outside.");
  const place = { base: "https://data.example.org", tableIds: new Map(), versionIds: [] };
  expect(JSON.stringify(pageBlocks("query", { place, settings: readSettings({}) }))).toContain("is outside");
});

test("the explorer offers it, checks it, and generates code with it", () => {
  const columns = [{ name: "n", type: "int32" }];
  expect([operatorsOffered("int32").includes(OUTSIDE), operatorText(OUTSIDE, "int32")]).toEqual([true, "is outside"]);
  expect(
    filterFaults(filterOn({ name: "n", type: "int32" }, OUTSIDE, ["7", "2"]), { name: "n", type: "int32" }),
  ).toHaveLength(1);
  const { view, faults } = readView(new URLSearchParams("filter=n:outside:2,7"), columns);
  const table = { slug: "t", queryUrl: "https://q", anonymousUrl: "https://a", currentUrl: "https://c/c" };
  const code = viewSnippets({ table, view, columns, query: viewQuery(view, columns), keyed: false });
  expect(faults).toEqual([]);
  expect(code.find(({ id }) => id === "duckdb")?.code).toContain('("n" < 2 OR "n" > 7)');
});
