import { LosslessNumber } from "lossless-json";
import { expect, test } from "vitest";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { makePlan } from "@/lib/engine/plan/plan";
import { decimalType } from "@/lib/engine/types/decimals";
import { readFilterValue } from "@/lib/engine/types/filter-value";
import { Failure, type Fault } from "@/lib/kernel/errors";
import { superlinear } from "@/lib/testing/processor-growth";
import { parseQuery } from "./query";

const LONG = `1${"0".repeat(60_000)}1`;
const TIER = { rowsMax: 1000, bytesMax: 1 << 20 };
const COLUMN = { name: "x", type: "decimal(10,2)", storage: "DECIMAL(10,2)" };

function faultsOf(text: string): readonly Fault[] {
  try {
    parseQuery(parseJsonBody(text), TIER, [COLUMN]);
    return [];
  } catch (error) {
    if (error instanceof Failure) return error.faults;
    throw error;
  }
}

test.each([
  ["a limit", `{"columns":["x"],"limit":${LONG}}`, "/limit"],
  ["an offset", `{"columns":["x"],"offset":${LONG}}`, "/offset"],
])("%s of 60,000 digits is rejected because of its length", (_, body, pointer) => {
  expect(faultsOf(body)).toMatchObject([
    { pointer, message: expect.stringMatching(/^Number too long: 60002 characters \(maximum 1000\)\. The/) },
  ]);
});

test.each(["int64", "decimal(10,2)", "float64"])("so is a filter value of a %s column", (type) => {
  const body = `{"columns":["x"],"filters":[{"column":"x","operator":"eq","value":${LONG}}]}`;
  const columns = [{ ...COLUMN, type }];
  const read = () => makePlan(parseQuery(parseJsonBody(body), TIER, columns), columns, []);
  expect(read).toThrow("Number too long: 60002 characters (maximum 1000).");
});

test("the cost of a number in a body is linear in its length", () => {
  const digits = {
    "zeros between ones": (length: number) => `1${"0".repeat(length - 2)}1`,
    "decimal zeros between ones": (length: number) => `0.${"0".repeat(length - 3)}1`,
    "zeros in front": (length: number) => `${"0".repeat(length - 1)}1`,
    commas: (length: number) => `1${",".repeat(length - 1)}`,
    exponent: (length: number) => `1e${"0".repeat(length - 3)}1`,
  };
  const type = decimalType(38, 9);
  expect(superlinear((text) => faultsOf(`{"columns":["x"],"limit":${text}}`), digits)).toEqual([]);
  expect(superlinear((text) => readFilterValue(type, new LosslessNumber(text)), digits)).toEqual([]);
});
