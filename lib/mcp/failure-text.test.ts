import { expect, test } from "vitest";
import { fail, failWith } from "@/lib/kernel/errors";
import { failureText } from "./failure-text";

const nextOf = (failure: Parameters<typeof failureText>[0]) => /Next: .*/.exec(failureText(failure, "req_1"))?.[0];

test("faults of a recipe or a source name the resource with its grammar, faults of other arguments do not", () => {
  const at = (pointer: string) => nextOf(failWith([{ pointer, code: "invalid_request", message: "Wrong." }]));
  for (const pointer of ["/tables/0/steps/1/on", "/recipe/sources/0", "/source/reader/options/header", "/publish"])
    expect(at(pointer)).toContain("parquetry://recipe-reference");
  expect(at("/columns")).toBe("Next: Send only the arguments in the tool's input schema.");
  expect(at("/table_id")).not.toContain("recipe-reference");
});

test("what is not found leads to the tool that its message names", () => {
  expect(nextOf(fail("not_found", { message: "Unknown run. list_runs lists the workspace's runs." }))).toBe(
    "Next: Call list_runs.",
  );
  expect(nextOf(fail("not_found"))).toContain("search");
});
