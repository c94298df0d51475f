import { expect, test } from "vitest";
import { timesAsMuch } from "@/lib/testing/processor-time";
import { type OutlineNode, outlineOf } from "./recipe-outline";

/** The values without their positions. */
function plain(node: OutlineNode | undefined): unknown {
  if (node === undefined) return null;
  if (node.kind === "scalar") return node.text;
  return node.kind === "list"
    ? node.items.map(plain)
    : Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

const outlined = (text: string): unknown => plain(outlineOf(text).root);

test("objects, lists and values are recognized in YAML and in JSON", () => {
  const recipe = {
    tables: [{ name: "a", steps: [{ step: "drop", columns: ["x y", "z"] }, { step: "trim" }] }],
    b: "1",
  };
  expect(outlined(JSON.stringify(recipe))).toEqual(recipe);
  expect(outlined(JSON.stringify(recipe, null, 2))).toEqual(recipe);
  expect(
    outlined(`
# a comment: of the recipe
tables:
- name: a # its name
  steps:
    - step: drop
      columns:
        - "x y"
        - z
    - {step: trim}
b: 1
`),
  ).toEqual(recipe);
  expect(outlined("a:\n  - - 1\n    - 2\n  - b: 3\n    c: [4,\n      5]\n  -\n    d: 6\n")).toEqual({
    a: [["1", "2"], { b: "3", c: ["4", "5"] }, { d: "6" }],
  });
});

test("text over several lines hides what looks like keys", () => {
  expect(outlined('a: |\n  b: 1\n\n  c: 2\nd: "e\n  f: 3"\ng: https://example.org/a#b\n')).toEqual({
    ...{ a: "", d: "e", g: "https://example.org/a#b" },
  });
});

test("what is still missing does not swallow what follows", () => {
  expect(outlined("a: [1, {b: 2\nc: 3\n")).toEqual({ a: ["1", { b: "2" }], c: "3" });
  expect(outlined("a:\n  b: 'x\n  c: 3\nd:\ne")).toEqual({ a: { b: "x", c: "3" }, d: null });
  expect(outlined("} ] : , a\n- -\n\t{")).toBeDefined();
});

const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  dashes: (size) => `${"- ".repeat(size / 4)}\n${"x\n".repeat(size / 4)}`,
  brackets: (size) => "[{".repeat(size / 2),
  "closed brackets": (size) => `a: ${"[".repeat(size / 2)}${"]".repeat(size / 2)}`,
  "deeper and deeper": (size) =>
    Array.from({ length: Math.sqrt(size * 2) }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
  "an open quote on each line": (size) => 'a: "\n'.repeat(size / 5),
  "open brackets on each line": (size) => "a: [\n".repeat(size / 5),
  spaces: (size) => `a:${" ".repeat(size)}`,
  colons: (size) => ":".repeat(size),
  hashes: (size) => `{${"#".repeat(size)}`,
  "quotes in a list": (size) => `[${"'\n".repeat(size / 2)}`,
  "blank lines in a list": (size) => `a: [${"\n".repeat(size)}`,
  "lines of spaces in a list": (size) => `a: [\n${`${" ".repeat(99)}\n`.repeat(size / 100)}`,
};

for (const [name, make] of Object.entries(HOSTILE)) {
  test(`hostile text is read once: ${name}`, async () => {
    const [small, large] = [make(2 ** 18), make(2 ** 20)];
    const times = await timesAsMuch(
      () => outlineOf(large, large.length),
      () => outlineOf(small, small.length),
      8,
    );
    expect(times).toBeLessThan(8); // a quarter of the text; 16 times as much if each part were read again
  });
}
