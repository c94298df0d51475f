import { expect, test } from "vitest";
import { ACCESS } from "@/lib/access/access-table";
import { CHECK_KINDS } from "@/lib/builds/checks/registry";
import { FUNCTIONS } from "@/lib/builds/expressions/registry";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { operatorsFor, typeExamples } from "@/lib/engine/types/column-types";
import { OPERATORS } from "@/lib/engine/types/operators";
import { readSettings, SETTINGS } from "@/lib/kernel/env";
import { ERRORS } from "@/lib/kernel/errors";
import { TOOLBOX } from "@/lib/mcp/tools";
import { schemasOf } from "@/lib/operations/operation";
import { errorsOf } from "@/lib/operations/operation-errors";
import { ROUTED } from "@/lib/operations/registry";
import { FRESHNESS_CONFIDENCE, FRESHNESS_REASONS, FRESHNESS_STATES, RELEASE_CONTINUITY } from "@/lib/schemas/freshness";
import { ENCODINGS, READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { PAGING, SOURCES } from "@/lib/schemas/recipe-source";
import { CHANGES } from "@/lib/schemas/table";
import commands from "./commands.json" with { type: "json" };
import { clientGuides, pageBlocks } from "./contents";
import type { Block, DocContext } from "./doc";
import { docMarkdown } from "./doc-markdown";
import { ANSWERED } from "./includes/rules";
import { operationBlocks, tryCall } from "./operation-blocks";
import { operationPath } from "./operation-list";
import { DOC_ENTRIES } from "./page-list";
import { ALL_SAMPLES } from "./samples/all-samples";
import { SAMPLE_DATASETS } from "./samples/sample";
import { jsonSchemaOf } from "./schema-fields";

const at: DocContext = {
  place: {
    base: "https://data.example.net",
    tableIds: new Map(SAMPLE_DATASETS.map((slug) => [slug, slug])),
    versionIds: ["v2", "v1"],
  },
  settings: readSettings({ PARQUETRY_CONTACT: "mailto:security@example.org" }),
};
const textOf = (blocks: readonly Block[]) => docMarkdown({ title: "", summary: "", blocks }, at.place);
const pageText = (slug: string) => textOf(pageBlocks(slug, at));

/** Names that a page does not format as code. */
function missing(slug: string, words: readonly string[]): string[] {
  const text = pageText(slug);
  return words.filter((word) => !text.includes(`\`${word}\``));
}

test.each([
  ["query", Object.keys(OPERATORS)],
  ["query", Object.keys(AGGREGATES)],
  ["types", typeExamples().map(({ name }) => name)],
  ["types", operatorsFor("string")],
  ["versions", CHANGES],
  ["errors", Object.keys(ERRORS)],
  ["self-hosting", Object.keys(SETTINGS.shape)],
  ["command-line", commands.map(({ usage }) => usage)],
  [
    "freshness",
    [FRESHNESS_STATES, FRESHNESS_REASONS, FRESHNESS_CONFIDENCE, RELEASE_CONTINUITY].flatMap((table) =>
      Object.keys(table),
    ),
  ],
  ["recipes", [...ENCODINGS, "schema_version", "sources", "tables", "refresh", "publish"]],
  ["recipe-functions", Object.keys(FUNCTIONS)],
  ["agents", TOOLBOX.all.map(({ name }) => name)],
  ["api", ROUTED.map(({ http }) => `${http.method} ${http.path}`)],
] as const)("the page %s contains every name of its table (%#)", (slug, words) =>
  expect(missing(slug, words)).toEqual([]),
);

test("the docs show every row of the access table and every query format", () => {
  const access = pageText("access");
  expect(Object.values(ACCESS).filter(({ title }) => !access.includes(`### ${title}`))).toEqual([]);
  const formats = pageText("formats");
  const query = ROUTED.find(({ name }) => name === "query_table");
  for (const media of Object.keys(query?.alternatives ?? {}))
    expect(formats).toMatch(new RegExp(`\\| [A-Z]\\w+ \\| \`${media.replaceAll("+", "\\+")}\` \\| .{20}`));
});

test("every example of operators and functions is shown, and each operator with its column types", () => {
  const text = pageText("query");
  for (const name of [...Object.keys(OPERATORS), ...Object.keys(AGGREGATES)])
    expect(text).toMatch(new RegExp(`\`\\{[^\`]*"${name}"[^\`]*\\}\` \\|`));
  expect(text).toMatch(/\| `contains` \| contains \| one value \| `string` \|/);
});

test("every step, check, reader, source kind and pagination method is documented", () => {
  const [recipes, steps, functions] = ["recipes", "recipe-steps", "recipe-functions"].map(pageText);
  for (const name of [...Object.keys(SOURCES), ...Object.keys(READER_OPTIONS)])
    expect(recipes).toContain(`### ${name}\n`);
  for (const by of Object.keys(PAGING)) expect(recipes).toContain(`- \`by\` ("${by}", required)`);
  for (const name of Object.keys(STEP_KINDS)) expect(steps).toContain(`## ${name}\n`);
  for (const name of Object.keys(STEP_KINDS)) expect(steps).toContain(`A step: ${name}:`);
  for (const name of Object.keys(CHECK_KINDS)) expect(functions).toContain(`A check: ${name}:`);
});

test.each(DOC_ENTRIES.map(({ slug }) => slug))(
  "headings of /docs/%s go down one level at a time, each with a unique id",
  (slug) => {
    const headings = pageBlocks(slug, at).filter((block) => block.kind === "heading");
    expect(headings[0]?.level ?? 2).toBe(2);
    expect(new Set(headings.map(({ id }) => id)).size).toBe(headings.length);
  },
);

test("an error code next to a status, on any page, is one that has this status", () => {
  const stated = DOC_ENTRIES.flatMap(({ slug }) =>
    [...pageText(slug).matchAll(/(?:^\| |\b)([45]\d\d)((?: `[a-z_]+`)+)/gm)].flatMap(([, status, codes = ""]) =>
      [...codes.matchAll(/[a-z_]+/g)].map(([code]) => ({ slug, code, status: Number(status) })),
    ),
  );
  expect(stated.length).toBeGreaterThan(20);
  const known: Readonly<Record<string, { status: number }>> = ERRORS;
  expect(stated.filter(({ code, status }) => known[code]?.status !== status)).toEqual([]);
});

test("error codes that no route returns are marked as reserved", () => {
  const text = pageText("errors");
  expect(ANSWERED.has("unknown_column")).toBe(true);
  for (const code of Object.keys(ERRORS))
    expect([code, text.includes(`| \`${code}\` |`)]).toEqual([code, ANSWERED.has(code as keyof typeof ERRORS)]);
});

test.each(ROUTED.map((operation) => [operation.name, operation] as const))(
  "the page of %s has its parameters, body and errors",
  (_, operation) => {
    const text = textOf(operationBlocks(operation, at, undefined));
    const { path, query, body } = schemasOf(operation);
    const names = [path, query, ...(body ? [body] : [])].flatMap((schema) =>
      Object.keys(jsonSchemaOf(schema).properties ?? {}),
    );
    for (const name of [...names, ...errorsOf(operation)]) expect(text).toContain(`\`${name}\``);
    expect(pageText("api")).toContain(operationPath(operation.name));
  },
);

test("examples that can be tried need neither a credential nor input", () => {
  for (const operation of ROUTED) {
    const call = tryCall(operation, at.place);
    if (!call) continue;
    expect(["open", "open_query"]).toContain(operation.access);
    expect(call.fields.filter(({ place, value }) => place === "path" && (value === "" || value.includes("{")))).toEqual(
      [],
    );
  }
});

test("every sample has its own id and is on a page", () => {
  expect(new Set(ALL_SAMPLES.map(({ id }) => id)).size).toBe(ALL_SAMPLES.length);
  const all = DOC_ENTRIES.flatMap(({ slug }) => pageBlocks(slug, at));
  const flat = all.flatMap((block) => (block.kind === "tabs" ? block.tabs.flatMap(({ blocks }) => blocks) : [block]));
  const shown = new Set(flat.flatMap((block) => (block.kind === "samples" ? block.samples.map(({ id }) => id) : [])));
  expect(ALL_SAMPLES.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
});

test.each(clientGuides(at).map(({ id, blocks }) => [id, blocks] as const))(
  "the guide to %s has no command that writes settings and lets the shell put the key into them",
  (_id, blocks) => {
    const commands = blocks.flatMap((block) =>
      block.kind === "code" && block.language === "shellscript" ? [block.code] : [],
    );
    for (const command of commands.filter((text) => /\bmcp add\b|--add-mcp/.test(text)))
      expect(command).not.toContain("$");
  },
);

test("Claude's first URL is the one that signs in: its dialog may take the other for an open server", () => {
  const blocks = clientGuides(at).find(({ id }) => id === "claude")?.blocks ?? [];
  const urls = blocks.flatMap((block) => (block.kind === "code" ? [block.code] : []));
  const connector = "https://data.example.net/api/mcp";
  expect(urls).toEqual([`${connector}/account`, connector]);
});
