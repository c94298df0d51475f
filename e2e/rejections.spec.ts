import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { newEmail, Person, setVisibility } from "./people";
import { scratchFolder } from "./scratch";
import { parquetryBeside } from "./service";
import { test } from "./test";

/**
 * Equally long, so that replies that repeat the URL are too, and of words that nothing in the catalogue is near to:
 * what a page about nothing proposes depends on the words in its URL.
 */
const SLUGS = {
  unknown: "zqxvhj-kwqzza",
  private: "zqxvhj-kwqzzb",
  withdrawn: "zqxvhj-kwqzzc",
} as const;
/** A page's compressed length depends on the letters of the URL that it names. */
const OWN_HEADERS = /^(?:date|ratelimit|x-request-id|keep-alive|content-length)$/;
type Kind = keyof typeof SLUGS;
const KINDS = Object.keys(SLUGS) as Kind[];
const SAMPLES = Number(process.env.REJECTION_SAMPLES ?? 1);

const query = { method: "POST", body: '{"columns":["id"]}', headers: { "content-type": "application/json" } };

const tables: Record<Kind, string> = { unknown: crypto.randomUUID(), private: "", withdrawn: "" };
const stranger = new Person(newEmail("stranger"));
let key = "";

test.beforeAll(async () => {
  const owner = await new Person(newEmail("owner")).signUp();
  const [workspace] = (await owner.account()).workspaces;
  for (const kind of ["private", "withdrawn"] as const) tables[kind] = await publish(SLUGS[kind]);
  await setVisibility(SLUGS.private, "private", "--workspace", workspace?.id ?? "");
  await setVisibility(SLUGS.withdrawn, "withdrawn");
  const own = await owner.createKey(workspace?.id ?? "");
  const read = await fetch(`${owner.base}/api/v2/public/tables/${tables.private}/query`, {
    ...query,
    headers: { ...query.headers, "x-api-key": own.key },
  });
  expect(read.status).toBe(200); // it exists, for its own members
  await stranger.signUp();
  ({ key } = await stranger.createKey((await stranger.account()).workspaces[0]?.id ?? ""));
});

async function publish(slug: string): Promise<string> {
  const file = join(scratchFolder("rejections"), `${slug}.csv`);
  writeFileSync(file, `id,word\n1,${slug}\n`);
  const about = [
    "--dataset",
    slug,
    "--table",
    "rows",
    "--title",
    "Hidden away",
    "--publisher",
    "Nobody You Know",
    "--license",
    "CC0-1.0",
  ];
  return JSON.parse(await parquetryBeside("publish", file, ...about, "--json")).table_id;
}

const keyed = (init: RequestInit): RequestInit => ({ ...init, headers: { ...init.headers, "x-api-key": key } });

const ROUTES: Readonly<Record<string, { path: (kind: Kind) => string; init?: () => RequestInit }>> = {
  schema: { path: (kind) => `/api/v2/public/tables/${tables[kind]}/schema` },
  "schema with a foreign key": {
    path: (kind) => `/api/v2/public/tables/${tables[kind]}/schema`,
    init: () => keyed({}),
  },
  preview: { path: (kind) => `/api/v2/public/tables/${tables[kind]}/preview` },
  versions: { path: (kind) => `/api/v2/public/tables/${tables[kind]}/versions` },
  "query without a key": { path: (kind) => `/api/public/tables/${tables[kind]}/query`, init: () => query },
  "query with a foreign key": {
    path: (kind) => `/api/v2/public/tables/${tables[kind]}/query`,
    init: () => keyed(query),
  },
  "download with a foreign key": {
    path: (kind) => `/api/v2/public/tables/${tables[kind]}/current`,
    init: () => keyed({}),
  },
  dataset: { path: (kind) => `/api/v2/public/datasets/${SLUGS[kind]}` },
  "dataset with a foreign key": { path: (kind) => `/api/v2/public/datasets/${SLUGS[kind]}`, init: () => keyed({}) },
  Croissant: { path: (kind) => `/api/v2/public/datasets/${SLUGS[kind]}/croissant.json` },
  Markdown: { path: (kind) => `/datasets/${SLUGS[kind]}/llms.txt` },
  page: { path: (kind) => `/datasets/${SLUGS[kind]}` },
  "page of versions": { path: (kind) => `/datasets/${SLUGS[kind]}/versions` },
  "page for one who is signed in": {
    path: (kind) => `/datasets/${SLUGS[kind]}`,
    init: () => ({ headers: { cookie: stranger.cookie } }),
  },
  "explorer for one who is signed in": {
    path: (kind) => `/datasets/${SLUGS[kind]}/rows`,
    init: () => ({ headers: { cookie: stranger.cookie } }),
  },
};

/** A reply without what varies: request id, nonce, date, length, remaining quota, and the URL that was requested. */
async function ask(base: string, { path, init }: (typeof ROUTES)[string], kind: Kind): Promise<string> {
  const reply = await fetch(`${base}${path(kind)}`, init?.());
  const shown = [...reply.headers].filter(([name]) => !OWN_HEADERS.test(name));
  const nonce = /'nonce-([^']+)'/.exec(reply.headers.get("content-security-policy") ?? "")?.[1] ?? "no nonce";
  const id = reply.headers.get("x-request-id") ?? "no id";
  const whole = JSON.stringify([reply.status, shown, await reply.text()]);
  return whole
    .replaceAll(nonce, "NONCE")
    .replaceAll(id, "ID")
    .replaceAll(SLUGS[kind], "SLUG")
    .replaceAll(tables[kind], "TABLE");
}

for (const [name, route] of Object.entries(ROUTES)) {
  test(`${name}: unknown, private and withdrawn read the same, byte for byte`, async ({ baseURL }) => {
    const [unknown, ...others] = await Promise.all(KINDS.map((kind) => ask(baseURL ?? "", route, kind)));
    expect(unknown).toMatch(/^\[404,/);
    for (const other of others) expect(other).toBe(unknown);
  });
}

test("no listing names private or withdrawn datasets", async ({ request }) => {
  for (const address of [
    "/api/v2/public/datasets?limit=100",
    "/api/v2/public/datasets?q=hidden",
    "/llms-full.txt",
    "/datasets.atom",
    "/datasets",
    "/datasets?q=hidden+away",
    "/",
  ]) {
    const text = await (await request.get(address)).text();
    for (const hidden of ["Nobody You Know", SLUGS.private, SLUGS.withdrawn, tables.private, tables.withdrawn])
      expect(text).not.toContain(hidden);
  }
});

test("reported, not asserted: how long rejections take, in the median of interleaved samples", async ({ baseURL }) => {
  const lines: string[] = [];
  for (const [name, route] of Object.entries(ROUTES)) {
    const times: Record<Kind, number[]> = { unknown: [], private: [], withdrawn: [] };
    for (let sample = 0; sample < SAMPLES; sample++) {
      for (const kind of sample % 2 ? KINDS : KINDS.toReversed()) {
        const start = performance.now();
        await (await fetch(`${baseURL}${route.path(kind)}`, route.init?.())).arrayBuffer();
        times[kind].push(performance.now() - start);
      }
    }
    lines.push(`${name}: ${KINDS.map((kind) => `${kind} ${median(times[kind]).toFixed(2)} ms`).join(", ")}`);
  }
  test.info().annotations.push({ type: "medians", description: lines.join("\n") });
  process.stdout.write(`${lines.join("\n")}\n`);
});

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
