import { expect, test } from "vitest";
import { canonicalJson } from "./canonical";
import { type PatchOperation, patchTree } from "./json-patch";
import { readTree } from "./tree";

const patched = (document: string, ...patch: PatchOperation[]) => canonicalJson(patchTree(readTree(document), patch));

/** The examples in the appendix of RFC 6902, by their letters. */
test.each<[name: string, document: string, patch: PatchOperation[], expected: string]>([
  ["A.1", '{"foo":"bar"}', [{ op: "add", path: "/baz", value: "qux" }], '{"baz":"qux","foo":"bar"}'],
  ["A.2", '{"foo":["bar","baz"]}', [{ op: "add", path: "/foo/1", value: "qux" }], '{"foo":["bar","qux","baz"]}'],
  ["A.3", '{"baz":"qux","foo":"bar"}', [{ op: "remove", path: "/baz" }], '{"foo":"bar"}'],
  ["A.4", '{"foo":["bar","qux","baz"]}', [{ op: "remove", path: "/foo/1" }], '{"foo":["bar","baz"]}'],
  ["A.5", '{"baz":"qux"}', [{ op: "replace", path: "/baz", value: "boo" }], '{"baz":"boo"}'],
  [
    "A.6",
    '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
    [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
    '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
  ],
  [
    "A.7",
    '{"foo":["all","grass","cows","eat"]}',
    [{ op: "move", from: "/foo/1", path: "/foo/3" }],
    '{"foo":["all","cows","eat","grass"]}',
  ],
  ["A.10", '{"foo":"bar"}', [{ op: "add", path: "/child", value: { g: {} } }], '{"child":{"g":{}},"foo":"bar"}'],
  ["A.8", '{"baz":"qux","n":1.50}', [{ op: "test", path: "/n", value: 1.5 }], '{"baz":"qux","n":1.5}'],
  ["A.9", '{"baz":"qux"}', [{ op: "test", path: "/baz", value: "bar" }], ""],
  ["A.14", '{"/":9,"~1":10}', [{ op: "test", path: "/~01", value: 10 }], '{"/":9,"~1":10}'],
  ["A.16", '{"foo":["bar"]}', [{ op: "add", path: "/foo/-", value: ["abc"] }], '{"foo":["bar",["abc"]]}'],
  ["copy", '{"a":{"b":1.50},"c":[]}', [{ op: "copy", from: "/a/b", path: "/c/0" }], '{"a":{"b":1.5},"c":[1.5]}'],
])("%s", (_name, document, patch, expected) => {
  if (expected === "") expect(() => patched(document, ...patch)).toThrow();
  else expect(patched(document, ...patch)).toBe(expected);
});

test("patching does not modify the given tree, and __proto__ is a name like any other", () => {
  const tree = readTree('{"a":[1,{"b":2}]}');
  const now = patchTree(tree, [
    { op: "replace", path: "/a/1/b", value: "x" },
    { op: "add", path: "/__proto__", value: { polluted: true } },
  ]);
  expect(canonicalJson(tree)).toBe('{"a":[1,{"b":2}]}');
  expect(canonicalJson(now)).toBe('{"__proto__":{"polluted":true},"a":[1,{"b":"x"}]}');
  expect("polluted" in {}).toBe(false);
});

test.each<[patch: PatchOperation, pointer: string, message: RegExp]>([
  [{ op: "remove", path: "/tables/7" }, "/patch/0/path", /Nothing at \/tables\/7: the list has 1 item\./],
  [{ op: "replace", path: "/tabels/0", value: 1 }, "/patch/0/path", /Nothing at \/tabels: there are name, tables/],
  [{ op: "add", path: "/name/x", value: 1 }, "/patch/0/path", /Nothing at \/name\/x: there is a single value/],
  [{ op: "add", path: "tables", value: 1 }, "/patch/0/path", /not a JSON Pointer/],
  [{ op: "move", from: "/none", path: "/x" }, "/patch/0/from", /Nothing at \/none/],
  [{ op: "move", from: "/tables", path: "/tables/0" }, "/patch/0/path", /into itself/],
  [{ op: "remove", path: "" }, "/patch/0/path", /entire recipe/],
  [{ op: "test", path: "/name", value: "other" }, "/patch/0/value", /The value at \/name is "n"/],
])("%o is rejected at its place", (change, pointer, message) => {
  const tree = readTree('{"name":"n","tables":[{"a":1}]}');
  const rejection = { faults: [expect.objectContaining({ pointer, message: expect.stringMatching(message) })] };
  expect(() => patchTree(tree, [change])).toThrow(expect.objectContaining(rejection));
});

test("repeated copies are limited by the recipe's maximum size", () => {
  const copies = Array.from({ length: 100 }, (_, at): PatchOperation => ({ op: "copy", from: "", path: `/x${at}` }));
  expect(() => patchTree(readTree('{"a":"0123456789"}'), copies)).toThrow(/48 KiB/);
});
