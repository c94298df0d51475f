import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { baseUrl } from "@/lib/kernel/env";
import { publishTable } from "@/lib/publish/publish";
import { AIR_READINGS, MEDIA_TYPES, startBuildSources } from "@/lib/testing/build-sources";
import { type Builder, startBuilder } from "@/lib/testing/builder";
import { useTestState } from "@/lib/testing/database";
import { type Exchange, tokensOf, transcriptMarkdown } from "@/lib/testing/transcript";

const CALLS_MAX = 7;
const TOKENS_MAX = 5000;
const DOCS = join(import.meta.dirname, "../../docs/builds");

const sources = await startBuildSources();
useTestState({ SOURCE_PRIVATE_HOSTS: sources.host, PACKAGE_REGISTRY: sources.origin });

let builder: Builder;
let client: Client;

beforeAll(async () => {
  await publishCountries();
  builder = await startBuilder();
  client = builder.client;
});
afterAll(async () => {
  await builder?.close();
  sources.close();
});

async function publishCountries(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-countries-"));
  const file = join(folder, "countries.csv");
  writeFileSync(file, "iso2,name_en\nPT,Portugal\nES,Spain\n");
  const about = { title: "Reference", summary: "", description: "", license: "CC0-1.0", topics: ["reference"] };
  const dataset = { ...about, slug: "reference", publisher: { name: "Agency" } };
  await publishTable({ file, dataset, table: { slug: "countries", name: "Countries" } }, { now: () => new Date() });
  rmSync(folder, { recursive: true });
}

/** The recipe of the docs, reading the stand-ins. */
const recipeOf = (name: string): string =>
  readFileSync(join(DOCS, `${name}.yaml`), "utf8").replace(
    /(url: )https:\/\/(?:statistik|api\.air)\.example\.org(?=\/\S+\.csv|\/v2)/g,
    `$1${sources.origin}`,
  );

type Row = readonly unknown[];
interface Built {
  toApproval: Exchange[];
  exchanges: Exchange[];
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Keyed by slug. */
  tableIds: Record<string, string>;
}

type Look = [tool: string, args: Record<string, unknown>];
const inspected = (source: object): Look => ["start_source_inspection", { source, wait_ms: 20_000 }];

/** What an agent does: inspect, name, write, try, look, approve, wait, make current. */
async function build(looks: Look[], title: string, recipe: string, table: string, question: object): Promise<Built> {
  const exchanges: Exchange[] = [];
  const call: Built["call"] = async (name, args) => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
    const reply = (content as { text?: string }[]).map(({ text }) => text ?? "").join("\n");
    exchanges.push({ tool: name, args, reply });
    if (isError) throw new Error(`${name}: ${reply}`);
    return structuredContent as Record<string, unknown>;
  };
  for (const look of looks) await call(...look);
  const { dataset } = (await call("create_dataset", { title })) as { dataset: { slug: string } };
  const { run } = (await call("register_recipe", { dataset: dataset.slug, recipe: recipeOf(recipe), start: true })) as {
    run: { run_id: string };
  };
  const { run_id } = run;
  const confirm = () => call("confirm_run", { run_id, wait_ms: 20_000 });
  let confirmed = await confirm();
  while (["queued", "running"].includes(String(confirmed.state))) {
    exchanges.pop(); // on a busy machine, the same call again returns the same
    confirmed = await confirm();
  }
  const { sample, next } = confirmed as { sample: { recipe_digest: string }; next: string };
  expect(exchanges.at(-1)?.reply).toContain("awaiting_approval");
  if (next.includes("query_run")) await query(call, exchanges, { run_id, table, ...question });
  const approved = await call("approve_full_run", { run_id, recipe_digest: sample.recipe_digest, wait_ms: 20_000 });
  const toApproval = [...exchanges];
  for (let state = approved.state; state !== "sealed"; )
    ({ state } = await call("get_run", { run_id, known_state: state, wait_ms: 20_000 }));
  const { receipts } = (await call("promote_table", { dataset: dataset.slug })) as {
    receipts: { table: string; table_id: string }[];
  };
  return {
    ...{ toApproval, exchanges, call },
    tableIds: Object.fromEntries(receipts.map(({ table: slug, table_id }) => [slug, table_id])),
  };
}

async function query(call: Built["call"], exchanges: readonly Exchange[], args: Record<string, unknown>) {
  await call("query_run", args);
  const rows = exchanges.at(-1)?.reply.split("\n").slice(3) ?? [];
  expect(rows.map((line) => Array.isArray(JSON.parse(line)))).not.toContain(false);
}

/** Checks the number of calls and tokens, and that the transcript in the docs is up to date. */
async function prove(name: string, title: string, about: string, { toApproval, exchanges }: Built): Promise<void> {
  expect(toApproval.length).toBeLessThanOrEqual(CALLS_MAX);
  const tokens = toApproval.reduce((sum, exchange) => sum + tokensOf(exchange), 0);
  expect(tokens).toBeLessThanOrEqual(TOKENS_MAX);
  const hosts = {
    [`http://${sources.host}/v2`]: "https://api.air.example.org/v2",
    [sources.origin]: "https://statistik.example.org",
    [sources.host]: "SOURCE",
    [baseUrl()]: "https://data.example.org",
  };
  await expect(transcriptMarkdown(title, about, exchanges, hosts)).toMatchFileSnapshot(join(DOCS, `${name}.md`));
}

async function rowsOf({ call, tableIds }: Built, slug: string, query: object): Promise<readonly Row[]> {
  const reply = await call("query_table", { table_id: tableIds[slug], ...query });
  expect(reply.citation).toMatch(/^Cite: .+sha256:[0-9a-f]{64}/);
  return reply.rows as Row[];
}

const MIME_DB = { kind: "package", registry: "npm", package: "mime-db", path: "db.json" };
const OFFICE_FILE = { url: `${sources.origin}/arbeitsmarkt/arbeitslose_gemeinden.csv` };
const COUNT = { function: "count", as: "n" };
type MediaType = { source?: string; extensions?: string[] };
const mediaTypes = Object.entries(JSON.parse(MEDIA_TYPES.toString()) as Record<string, MediaType>);

/** The number of items per key, in the order of the keys. */
function counted(keys: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

test("media types, from an npm package, as two tables", async () => {
  const question = {
    columns: [],
    group_by: ["family"],
    aggregates: [COUNT],
    order_by: [{ column: "family" }],
    limit: 50,
  };
  const built = await build([inspected(MIME_DB)], "Media types", "media-types", "types", question);
  const { columns: _, ...grouped } = question;
  expect(await rowsOf(built, "types", { columns: [], ...grouped })).toEqual(
    counted(mediaTypes.map(([type]) => type.split("/")[0] ?? "")),
  );
  const html = { columns: ["type", "subtype", "source", "is_registered", "extensions", "is_text"] };
  const filters = [{ column: "type", operator: "eq", value: "application/atom+xml" }];
  expect(await rowsOf(built, "types", { ...html, filters })).toEqual([
    ["application/atom+xml", "atom+xml", "iana", true, ["atom"], true],
  ]);
  const extensions = mediaTypes.flatMap(([, { extensions = [] }]) => extensions);
  expect(await rowsOf(built, "extensions", { columns: [], aggregates: [COUNT] })).toEqual([[extensions.length]]);
  await prove("media-types", "Media types, from an npm package", "Two tables, the second made from the first.", built);
});

test("an office's file of windows-1252 with two header rows", async () => {
  const columns = ["district", "municipality", "year", "sex", "unemployed", "provisional", "uncertain"];
  const built = await build([inspected(OFFICE_FILE)], "Unemployed", "unemployed", "unemployed-by-municipality", {
    columns,
  });
  expect(await rowsOf(built, "unemployed-by-municipality", { columns })).toEqual([
    ["Nordkreis", "Beispielheim", 2025, "male", 987, false, false],
    ["Nordkreis", "Beispielheim", 2026, "male", 12, false, true],
    ["Nordkreis", "Musterstadt", 2025, "female", 1101, false, false],
    ["Nordkreis", "Musterstadt", 2025, "male", 1234, false, false],
    ["Nordkreis", "Musterstadt", 2026, "female", 1090, true, false],
    ["Nordkreis", "Musterstadt", 2026, "male", 1250, true, false],
    ["Südkreis", "Probedorf", 2025, "female", 51, false, false],
    ["Südkreis", "Probedorf", 2025, "male", 45, false, false],
    ["Südkreis", "Probedorf", 2026, "female", 49, true, false],
    ["Südkreis", "Probedorf", 2026, "male", 44, true, false],
  ]);
  await prove("unemployed", "A statistical office’s CSV", "Two header rows, blocks, subtotals and marks.", built);
});

/** Mean, maximum and count of each station and local day with at least 18 readings, in whole thousandths. */
function dailyAir(): Row[] {
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Lisbon", dateStyle: "short" });
  const once = [...new Map(AIR_READINGS.map((reading) => [reading.id, reading])).values()];
  const groups = Map.groupBy(
    once.filter(({ unit, value }) => unit !== "ppm" && value >= 0),
    ({ location, date }) => `${location.code} ${day.format(new Date(date.utc))}`,
  );
  return [...groups]
    .filter(([, readings]) => readings.length >= 18)
    .map(([key, readings]) => {
      const values = readings.map(({ value }) => Math.round(value * 1000));
      const mean = Math.round(values.reduce((sum, value) => sum + value, 0) / values.length / 10) / 100;
      return [...key.split(" "), "Portugal", mean, Math.max(...values) / 1000, readings.length];
    })
    .sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

test("a paged API, joined to its stations and to a published table", async () => {
  const looks: Look[] = [
    inspected({ url: `${sources.origin}/v2/measurements` }),
    inspected({ url: `${sources.origin}/v2/stations.json` }),
    ["get_table_schema", { table_id: "reference/countries" }],
  ];
  const columns = ["station", "day", "country_name", "pm25_mean", "pm25_max", "readings"];
  const built = await build(looks, "Fine dust", "air", "daily-pm25", { columns });
  const rows = await rowsOf(built, "daily-pm25", { columns });
  expect(rows).toEqual(dailyAir());
  expect(rows.map((row) => row.at(-1))).toContain(25);
  await prove("air", "A paged API, joined to a published table", "Hours become local days, one of 25 hours.", built);
});

test("a recipe that reads a table of the service is checked against the columns of that table", async () => {
  const { structuredContent } = await client.callTool({ name: "create_dataset", arguments: { title: "Of a table" } });
  const { slug } = (structuredContent as { dataset: { slug: string } }).dataset;
  const recipeWith = (column: string) => ({
    schema_version: "service-recipe.v1",
    sources: [{ name: "countries", kind: "table", table: "reference/countries" }],
    tables: [{ name: "names", from: "countries", columns: [{ name: column }] }],
    publish: { license: "CC0-1.0", publisher: { name: "Agency" } },
  });
  const registered = async (column: string) => {
    const call = { dataset: slug, recipe: recipeWith(column), dry_run: true };
    return await client.callTool({ name: "register_recipe", arguments: call });
  };
  expect((await registered("name_en")).structuredContent).toMatchObject({ checked: "full", unchecked: [] });
  const { isError, content } = await registered("name_eng");
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringMatching(/unknown_column.*name_en/)]);
});
