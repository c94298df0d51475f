import { expect, test } from "vitest";
import type { Failure, Fault } from "@/lib/kernel/errors";
import { inspectionRequest } from "./inspection-request";

test("a table of the service cannot be inspected, which is the only fault reported for it", () => {
  const asked = { source: { kind: "table", table: "reference/countries" }, depth: "quick" as const };
  let faults: readonly Fault[] = [];
  try {
    inspectionRequest(asked);
  } catch (error) {
    faults = (error as Failure).faults;
  }
  expect(faults).toMatchObject([{ pointer: "/source/kind", message: expect.stringContaining("get_table_schema") }]);
});
