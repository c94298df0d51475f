import { expect, test } from "vitest";
import { fail, failWith } from "@/lib/kernel/errors";
import { failureText } from "./failure-text";

const nextOf = (failure: Parameters<typeof failureText>[0]) => /Next: .*/.exec(failureText(failure, "req_1"))?.[0];

test("faults of a recipe or a source name the parts of the reference that have its keys, other faults do not", () => {
  const at = (...pointers: string[]) =>
    nextOf(failWith(pointers.map((pointer) => ({ pointer, code: "invalid_request", message: "Wrong." }))));
  const partOf = (pointer: string) => /get_recipe_reference \{"part":"([a-z]+)"\}\.$/.exec(at(pointer) ?? "")?.[1];
  expect(
    [
      ...["/tables/0/steps/1/on", "/recipe/sources/0", "/source/reader/options/header", "/publish"],
      ...["/tables/0/checks/2/min", "/recipe/tables/1/columns", "/recipe/sources/0/reader/format", "/refresh/every"],
      ...["/tables/0/steps/0/date/formats/0", "/tables/0/steps/3/columns/a/args/1/fn", "/sources/0/pages/by"],
    ].map((pointer) => [pointer, partOf(pointer)]),
  ).toEqual([
    ["/tables/0/steps/1/on", "steps"],
    ["/recipe/sources/0", "sources"],
    ["/source/reader/options/header", "readers"],
    ["/publish", "tables"],
    ["/tables/0/checks/2/min", "checks"],
    ["/recipe/tables/1/columns", "tables"],
    ["/recipe/sources/0/reader/format", "readers"],
    ["/refresh/every", "tables"],
    ["/tables/0/steps/0/date/formats/0", "formats"],
    ["/tables/0/steps/3/columns/a/args/1/fn", "functions"],
    ["/sources/0/pages/by", "sources"],
  ]);
  expect(at("/tables/0/steps/1/on", "/tables/0/steps/2", "/publish/license")).toBe(
    "Next: Correct these and send it again. Every key, with examples: get_recipe_reference " +
      '{"part":"steps"}, get_recipe_reference {"part":"tables"}.',
  );
  expect(at("/columns")).toBe("Next: Send only the arguments in the tool's input schema.");
  expect(at("/table_id")).not.toContain("get_recipe_reference");
});

test("what is not found leads to the tool that its message names", () => {
  expect(nextOf(fail("not_found", { message: "Unknown run. list_runs lists the workspace's runs." }))).toBe(
    "Next: Call list_runs.",
  );
  expect(nextOf(fail("not_found"))).toContain("search");
});
