import { expect, test } from "vitest";
import { tryAddress } from "@/lib/docs/try-call";
import { readable } from "./send-call";

test("JSON is pretty-printed with every digit", () => {
  expect(readable('{"a":9007199254740993,"b":[1.50,{}],"c":"{\\"x\\": [1,2]}","d":[ ]}')).toBe(
    '{\n  "a": 9007199254740993,\n  "b": [\n    1.50,\n    {}\n  ],\n  "c": "{\\"x\\": [1,2]}",\n  "d": [ ]\n}',
  );
  expect(readable("Back soon.")).toBe("Back soon.");
});

test("a URL has its parameters filled in and escaped, without empty ones", () => {
  const fields = [
    { name: "slug", place: "path", value: "", hint: "" },
    { name: "q", place: "query", value: "", hint: "" },
    { name: "limit", place: "query", value: "", hint: "" },
  ] as const;
  expect(tryAddress({ path: "/d/{slug}", fields }, { slug: " a/b ", q: "x y", limit: " " })).toBe("/d/a%2Fb?q=x+y");
});
