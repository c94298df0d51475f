import { expect, test } from "vitest";
import { z } from "zod";
import { Failure } from "@/lib/kernel/errors";
import { superlinear, WORST_TEXTS } from "@/lib/testing/processor-growth";
import { checkBody, readQuery } from "./read-input";

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

test("all unknown, repeated and invalid parameters are reported at once, whatever their names", () => {
  expect(faultsOf("?q=a&limit=5")).toEqual([]);
  expect(faultsOf("?x=1&limit=500&q=a&q=b&q=c")).toEqual([
    "?q invalid_request",
    "?limit invalid_limit",
    "?x invalid_request",
  ]);
  expect(faultsOf("?__proto__=1&constructor=2")).toEqual([
    "?__proto__ invalid_request",
    "?constructor invalid_request",
  ]);
});

test("a list is a repeated parameter, and a fault of one of its values names the parameter", () => {
  const schema = z.strictObject({ topic: z.array(z.string().max(3)).max(2).optional(), q: z.string().optional() });
  const read = (search: string) => readQuery(new URL(`http://localhost/${search}`), schema);
  expect(read("?topic=a&q=x&topic=b")).toEqual({ topic: ["a", "b"], q: "x" });
  expect([read("?topic=a"), read("")]).toEqual([{ topic: ["a"] }, {}]);
  expect(() => read("?topic=a&topic=long&q=1&q=2")).toThrow(
    expect.objectContaining({
      faults: [
        expect.objectContaining({ pointer: "?q", message: "Duplicate parameter q. Send it once." }),
        expect.objectContaining({ pointer: "?topic", code: "invalid_request" }),
      ],
    }),
  );
  expect(() => read("?topic=a&topic=b&topic=c")).toThrow();
});

test("an unknown name lists the valid names and a suggestion; a number out of range its range", () => {
  const caught = (run: () => unknown) => {
    try {
      return run();
    } catch (error) {
      return (error as Failure).faults;
    }
  };
  const known = { allowed: ["q", "limit"] };
  expect(caught(() => readQuery(new URL("http://localhost/?limt=5&limit=500"), SCHEMA))).toMatchObject([
    { pointer: "?limit", message: "limit: at most 100." },
    { pointer: "?limt", message: "Unknown parameter limt.", ...known, didYouMean: "limit" },
  ]);
  expect(caught(() => checkBody({ nothing: 1 }, SCHEMA))).toEqual([
    { pointer: "/nothing", code: "invalid_request", message: "Unknown key nothing.", ...known },
  ]);
  expect(caught(() => checkBody({ a: 1 }, z.strictObject({})))).toEqual([
    { pointer: "/a", code: "invalid_request", message: "Unknown key a." },
  ]);
});

test("too many parameters are one fault, and the cost of a query string is linear", () => {
  const names = Array.from({ length: 4300 }, (_, at) => `p${at}`).join("&");
  expect(faultsOf(`?${names}`)).toEqual([" invalid_request"]);
  expect(() => readQuery(new URL(`http://localhost/?${names}`), SCHEMA)).toThrow(
    "Too many parameters: 4300. Send at most 50.",
  );
  expect(superlinear((text) => faultsOf(`?${text}`), WORST_TEXTS)).toEqual([]);
});
