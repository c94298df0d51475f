import { expect, test } from "vitest";
import { CHECK_KINDS } from "@/lib/builds/checks/registry";
import { recipeJsonSchema } from "@/lib/builds/json-schema";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { timesAsMuch } from "@/lib/testing/processor-time";
import { type RecipeSchema, recipeChoices, recipeMeaning } from "./recipe-choices";

const SCHEMA = recipeJsonSchema("https://parquetry.example") as RecipeSchema;

/** What may be written at the mark ‸. */
function choicesAt(marked: string, columns: readonly string[] = []) {
  const position = marked.indexOf("‸");
  const text = marked.replace("‸", "");
  const found = recipeChoices(text, position, SCHEMA, columns);
  return { text, from: found?.from ?? 0, to: found?.to ?? 0, choices: found?.choices ?? [] };
}

const labels = (marked: string, columns: readonly string[] = []): string[] =>
  choicesAt(marked, columns).choices.map(({ label }) => label);

/** The text once a choice has been taken. */
function after(marked: string, label: string, columns: readonly string[] = []): string {
  const { text, from, to, choices } = choicesAt(marked, columns);
  const choice = choices.find((each) => each.label === label);
  if (!choice) throw new Error(`${label} is not one of ${choices.map((each) => each.label).join(", ")}`);
  return text.slice(0, from) + choice.apply + text.slice(to);
}

const STEPS = "tables:\n  - name: levels\n    steps:\n";

test("an object offers the keys that it does not have, with their meaning", () => {
  expect(labels("‸")).toEqual(["schema_version", "sources", "tables", "refresh", "publish"]);
  expect(labels("publish:\n  license: MIT\n  ‸\n")).not.toContain("license");
  expect(after("publish:\n  lic‸", "license")).toBe("publish:\n  license: ");
  expect(choicesAt("publish:\n  ‸").choices.find(({ label }) => label === "license")).toMatchObject({
    ...{ kind: "key", isRequired: true, detail: "required" },
    info: "An SPDX identifier, or free text.\nText of at most 200 characters.",
  });
  expect(after("publish: {‸}", "license")).toBe("publish: {license: }");
  expect(after("refresh:\n  on_upload:‸", "true")).toBe("refresh:\n  on_upload: true");
  expect(after("publish:\n  li‸cense: MIT", "license")).toBe("publish:\n  license: MIT");
});

test("JSON gets quotes", () => {
  expect(after('{"publish": {"license": "MIT", ‸}}', "topics")).toBe('{"publish": {"license": "MIT", "topics": }}');
  expect(after('{"publish": {"license": "MIT", "to‸"}}', "topics")).toContain('"license": "MIT", "topics": }}');
  expect(after('{"refresh": {"on_upload": ‸}}', "false")).toBe('{"refresh": {"on_upload": false}}');
  expect(after('{"sources": [{"kind": "‸"}]}', "http")).toBe('{"sources": [{"kind": "http"}]}');
});

test("a list of steps or checks offers every kind, with what it needs and an example", () => {
  const steps = Object.keys(STEP_KINDS);
  expect(labels(`${STEPS}      - ‸`)).toEqual(steps.map((step) => `step: ${step}`));
  expect(labels(`${STEPS}      - {step: ‸}`)).toEqual(steps);
  expect(labels(`${STEPS}      - step: re‸`)).toEqual(steps);
  expect(labels("tables:\n  - checks:\n      - {‸}")).toEqual(
    Object.keys(CHECK_KINDS).map((check) => `check: ${check}`),
  );
  expect(after(`${STEPS}      ‸`, "step: rename")).toBe(`${STEPS}      - step: rename`);
  expect(after(`${STEPS}      - {step: trim}\n      ‸`, "step: drop")).toContain("{step: trim}\n      - step: drop");
  expect(after(`${STEPS}      -‸`, "step: drop")).toContain("      - step: drop");
  const rename = choicesAt(`${STEPS}      - {step: ren‸}`).choices[2];
  expect(rename).toMatchObject({ label: "rename", info: choicesAt(`${STEPS}      - ‸`).choices[2]?.info });
  expect(rename?.info).toMatch(/^Needs columns\.\nSuch as \{"step":"rename",/);
});

test("what is offered depends on the kind, wherever that is written", () => {
  expect(labels(`${STEPS}      - {step: rename, ‸}`)).toEqual(["note", "columns"]);
  expect(labels(`${STEPS}      - ‸\n        step: rename`)).toEqual(["note", "columns"]);
  expect(labels(`${STEPS}      - step: limit\n        ‸\n        offset: 1`)).toEqual(["note", "rows"]);
  const reader = (format: string) => labels(`sources:\n  - kind: http\n    reader: {options: {‸}, format: ${format}}`);
  expect(reader("csv")).toContain("delimiter");
  expect(reader("json")).toContain("records");
  expect(reader("json")).not.toContain("delimiter");
});

test("fixed values are offered, the default named", () => {
  const status = choicesAt("sources:\n  - {kind: http, status: ‸}").choices;
  expect(status.map(({ label, detail }) => [label, detail])).toEqual([
    ["active", "default"],
    ["static", undefined],
    ["retired", undefined],
  ]);
  expect(labels("refresh:\n  on_upload: ‸")).toEqual(["true", "false"]);
});

test("columns are offered that were found or are named in the recipe, and the names of sources and tables", () => {
  const recipe = (end: string) =>
    `sources:\n  - {name: office, kind: http}\n${STEPS}      - {step: rename, columns: {A b: gauge}}\n      ${end}`;
  expect(labels(recipe("- {step: drop, columns: [‸]}"), ["Sum"]).sort()).toEqual(["A b", "Sum", "gauge"]);
  expect(after(recipe("- {step: drop, columns: [‸]}"), "A b")).toContain("columns: [A b]}");
  expect(after(recipe("- {step: drop, columns: [‸]}"), "on: 1", ["on: 1"])).toContain('columns: ["on: 1"]}');
  expect(labels(recipe("- {step: rename, columns: {‸}}"))).toEqual(["A b", "gauge"]);
  expect(labels(recipe("- {step: join, with: ‸}"))).toEqual(["office", "levels"]);
  expect(labels(`${recipe("- step: trim")}\n    from: ‸`)).toEqual(["office", "levels"]);
});

test("nothing is offered in comments, in texts over several lines, and where nothing is known", () => {
  for (const text of [
    "publish: # ‸",
    "publish:\n  summary: |\n    ‸\n",
    "publish:\n  license: MIT\n  summary: A text ‸",
    "nonsense:\n  ‸",
    "publish:\n  license:\n    MIT: ‸",
  ])
    expect(labels(text), text).toEqual([]);
});

test("a key has a meaning", () => {
  const text = "publish:\n  license: MIT";
  expect(recipeMeaning(text, 12, SCHEMA)).toEqual({
    ...{ from: 11, to: 18, key: "license" },
    words: "An SPDX identifier, or free text.\nText of at most 200 characters.",
  });
  expect(recipeMeaning(text, text.length, SCHEMA)).toBeUndefined();
});

const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  "an object with very many keys": (size) => `{${"a: b, ".repeat(size / 6)}`,
  "very many steps": (size) =>
    `${STEPS}${"      - {step: rename, columns: {a: b}}\n".repeat(size / 40)}      - {step: drop, columns: [`,
  "very deep objects": (size) => "a: {".repeat(size / 4),
};

for (const [name, make] of Object.entries(HOSTILE)) {
  test(`hostile text costs no more than its length: ${name}`, async () => {
    const [small, large] = [make(2 ** 18), make(2 ** 20)];
    const times = await timesAsMuch(
      () => recipeChoices(large, large.length, SCHEMA),
      () => recipeChoices(small, small.length, SCHEMA),
      8,
    );
    expect(times).toBeLessThan(8); // a quarter of the text
  });
}
