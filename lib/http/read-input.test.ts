import { expect, test } from "vitest";
import { z } from "zod";
import { Failure } from "@/lib/errors";
import { readQuery } from "./read-input";

const SCHEMA = z.strictObject({ q: z.string().optional(), limit: z.coerce.number().int().max(100).default(20) });

function faultsOf(search: string): string[] {
  try {
    readQuery(new URL(`http://localhost/${search}`), SCHEMA);
    return [];
  } catch (error) {
    if (error instanceof Failure) return error.faults.map(({ pointer, code }) => `${pointer} ${code}`);
    throw error;
  }
}

test("unknown and repeated parameters and bad values are refused, all at once, whatever they are called", () => {
  expect(faultsOf("?q=a&limit=5")).toEqual([]);
  expect(faultsOf("?x=1&limit=500&q=a&q=b&q=c")).toEqual(["?q invalid_request", "?limit invalid_limit", "?x invalid_request"]);
  expect(faultsOf("?__proto__=1&constructor=2")).toEqual(["?__proto__ invalid_request", "?constructor invalid_request"]);
});
