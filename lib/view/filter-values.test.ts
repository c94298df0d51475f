import { expect, test } from "vitest";
import { superlinear, WORST_TEXTS } from "@/lib/testing/processor-growth";
import { filterFaults, filterOn } from "./filter-values";

const faultsOf = (text: string, type: string) =>
  filterFaults(filterOn({ name: "x", type }, "eq", [text]), { name: "x", type });

test.each(["int64", "decimal(10,2)", "float64"])(
  "an overlong number is rejected for a %s column without being parsed",
  (type) => {
    const message = "Number too long: 15002 characters (maximum 1000).";
    expect(faultsOf(`1${"0".repeat(15_000)}1`, type)).toMatchObject([{ code: "invalid_value", message }]);
  },
);

test.each(["int64", "decimal(38,9)", "float64", "string", "timestamp", "uuid"])(
  "checking a filter value of a %s column takes linear time",
  (type) => {
    expect(superlinear((text) => faultsOf(text, type), WORST_TEXTS)).toEqual([]);
  },
);
