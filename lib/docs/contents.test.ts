import { expect, test } from "vitest";
import { ACCESS } from "@/lib/access/access-table";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { operatorsFor, typeExamples } from "@/lib/engine/types/column-types";
import { OPERATORS } from "@/lib/engine/types/operators";
import { readSettings, SETTINGS } from "@/lib/kernel/env";
import { ERRORS } from "@/lib/kernel/errors";
import { TOOLS } from "@/lib/mcp/tools";
import { schemasOf } from "@/lib/operations/operation";
import { errorsOf } from "@/lib/operations/operation-errors";
import { OPERATIONS } from "@/lib/operations/registry";
import { FRESHNESS_CONFIDENCE, FRESHNESS_REASONS, FRESHNESS_STATES, RELEASE_CONTINUITY } from "@/lib/schemas/freshness";
import { CHANGES } from "@/lib/schemas/table";
import commands from "./commands.json";
import { ANSWERED } from "./content/errors";
import { CONTENTS } from "./contents";
import type { Block, DocContext } from "./doc";
import { docMarkdown } from "./doc-markdown";
import { operationBlocks, tryCall } from "./operation-blocks";
import { operationPath } from "./operation-list";
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
const pageText = async (slug: string) => textOf((await CONTENTS[slug]?.(at)) ?? []);

/** Names that a page does not say as code. */
async function missing(slug: string, words: readonly string[]): Promise<string[]> {
  const text = await pageText(slug);
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
  ["agents", TOOLS.map(({ name }) => name)],
  ["api", OPERATIONS.map(({ http }) => `${http.method} ${http.path}`)],
] as const)("the page %s says every name of its table (%#)", async (slug, words) =>
  expect(await missing(slug, words)).toEqual([]),
);

test("the docs say every row of the access table, and every format that a query answers in", async () => {
  const access = await pageText("access");
  expect(Object.values(ACCESS).filter(({ title }) => !access.includes(`### ${title}`))).toEqual([]);
  const formats = await pageText("formats");
  const query = OPERATIONS.find(({ name }) => name === "query_table");
  for (const media of Object.keys(query?.alternatives ?? {}))
    expect(formats).toMatch(new RegExp(`\\| [A-Z]\\w+ \\| \`${media}\` \\| .{20}`));
});

test("every example of operators and functions is shown, and each operator with its column types", async () => {
  const text = await pageText("query");
  for (const name of [...Object.keys(OPERATORS), ...Object.keys(AGGREGATES)])
    expect(text).toMatch(new RegExp(`\`\\{[^\`]*"${name}"[^\`]*\\}\` \\|`));
  expect(text).toMatch(/\| `contains` \| contains \| one value \| `string` \|/);
});

test("error codes that no route answers with are marked as reserved", async () => {
  const text = await pageText("errors");
  expect(ANSWERED.has("unknown_column")).toBe(true);
  for (const code of Object.keys(ERRORS))
    expect([code, text.includes(`| \`${code}\` |`)]).toEqual([code, ANSWERED.has(code as keyof typeof ERRORS)]);
});

test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  "the page of %s says its parameters, body and errors",
  async (_, operation) => {
    const text = textOf(operationBlocks(operation, at, undefined));
    const { path, query, body } = schemasOf(operation);
    const names = [path, query, ...(body ? [body] : [])].flatMap((schema) =>
      Object.keys(jsonSchemaOf(schema).properties ?? {}),
    );
    for (const name of [...names, ...errorsOf(operation)]) expect(text).toContain(`\`${name}\``);
    expect(await pageText("api")).toContain(operationPath(operation.name));
  },
);

test("what can be tried needs no credential, and nothing is left to fill in", () => {
  for (const operation of OPERATIONS) {
    const call = tryCall(operation, at.place);
    if (!call) continue;
    expect(["open", "open_query"]).toContain(operation.access);
    expect(call.fields.filter(({ place, value }) => place === "path" && (value === "" || value.includes("{")))).toEqual(
      [],
    );
  }
});

test("every sample stands on a page", async () => {
  const all = (await Promise.all(Object.values(CONTENTS).map((content) => content(at)))).flat();
  const flat = all.flatMap((block) => (block.kind === "tabs" ? block.tabs.flatMap(({ blocks }) => blocks) : [block]));
  const shown = new Set(flat.flatMap((block) => (block.kind === "samples" ? block.samples.map(({ id }) => id) : [])));
  expect(ALL_SAMPLES.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
});
