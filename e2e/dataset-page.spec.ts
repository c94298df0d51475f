import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible, expectAccessibleStructure, expectFitsPhone } from "./accessibility";
import { tableOf } from "./catalogue";
import { scratchFolder } from "./scratch";
import { readerKey } from "./service";
import { test } from "./test";

const HTML_MAX = 250_000;
const folder = scratchFolder("dataset-page");
const hasPython = spawnSync("python3", ["-V"]).status === 0;

/** The code on a tab, whether or not it is open. */
const snippet = async (page: Page, id: string): Promise<string> =>
  (await page.locator(`#use-${id} + label + .panel pre`).textContent()) ?? "";

const versionsOf = async (request: APIRequestContext, slug: string) => {
  const { tableId } = await tableOf(request, slug);
  const { versions } = await (await request.get(`/api/v2/public/tables/${tableId}/versions`)).json();
  return versions as { version_id: string; content_digest: string; rows: number }[];
};

test("no dataset's page is heavier than 250 kB, whatever its tables", async ({ request }) => {
  const { datasets } = await (await request.get("/api/v2/public/datasets?limit=100")).json();
  const weights: Record<string, number> = {};
  for (const { slug, tables } of datasets) {
    for (const table of tables) {
      const address = `/datasets/${slug}?table=${table.slug}`;
      weights[address] = (await (await request.get(address)).body()).length;
    }
  }
  expect(Object.entries(weights).filter(([, bytes]) => bytes > HTML_MAX)).toEqual([]);
});

test("a tab chosen by keyboard is in the URL, and survives a reload", async ({ page }) => {
  await page.goto("/datasets/mauna-loa-co2");
  await page.getByRole("radio", { name: "curl", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/\?use=curl-key$/);
  await page.reload();
  await expect(page.getByRole("radio", { name: "curl with key" })).toBeChecked();
  await expect(page.locator("pre", { hasText: "x-api-key: $PARQUETRY_KEY" }).first()).toBeVisible();
  await page.getByRole("radio", { name: "RIS" }).focus();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/use=curl-key&cite=ris$/);
});

test("a tab chosen before the page's scripts have loaded is in the URL", async ({ page }) => {
  let release = () => {};
  const chosen = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/**/*.js", async (route) => {
    await chosen;
    await route.continue();
  });
  await page.goto("/datasets/mauna-loa-co2", { waitUntil: "commit" });
  await page.getByRole("radio", { name: "RIS" }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("radio", { name: "RIS" })).toBeChecked();
  release();
  await expect(page).toHaveURL(/\?cite=ris$/);
});

test("the snippets that this machine can run return the table's rows", async ({ page, request }) => {
  await page.goto("/datasets/mauna-loa-co2");
  const env = { ...process.env, PARQUETRY_KEY: readerKey() };
  const reply = JSON.parse(execFileSync("sh", ["-c", await snippet(page, "curl")], { encoding: "utf8" }));
  expect(reply.rows.length).toBeGreaterThan(0);
  const keyed = JSON.parse(execFileSync("sh", ["-c", await snippet(page, "curl-key")], { encoding: "utf8", env }));
  expect(keyed.rows).toEqual(reply.rows);
  execFileSync("sh", ["-c", await snippet(page, "download")], { cwd: folder, env, stdio: "pipe" });
  const { slug, bytes } = await tableOf(request, "mauna-loa-co2");
  expect(readFileSync(join(folder, `${slug}.parquet`)).length).toBe(bytes);
  const script = (await snippet(page, "javascript")).replace(
    "console.table(page.rows)",
    "console.log(JSON.stringify(page.rows))",
  );
  expect(
    JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })),
  ).toEqual(reply.rows);
  if (!hasPython) return;
  const code = (await snippet(page, "python")).replace(
    /for row in page\["rows"\]:\n {4}print\(row\)/,
    'print(json.dumps(page["rows"]))',
  );
  expect(JSON.parse(execFileSync("python3", ["-c", code], { encoding: "utf8" }))).toEqual(reply.rows);
});

test("an older version's page has a note about the newer one, its own citation and snippets that read it", async ({
  page,
  request,
}) => {
  const [current, , older] = await versionsOf(request, "mime-types");
  if (!current || !older) throw new Error("mime-types has too few versions");
  const address = `/datasets/mime-types/versions/${older.version_id}`;
  await page.goto(address);
  await expect(page.getByText("A newer version exists.")).toBeVisible();
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", new RegExp(`${address}$`));
  await expect(page.getByText(older.content_digest).first()).toBeVisible();
  const reply = JSON.parse(execFileSync("sh", ["-c", await snippet(page, "curl")], { encoding: "utf8" }));
  expect(reply.table).toMatchObject({ version_id: older.version_id, content_digest: older.content_digest });
  for (const form of ["bib", "ris"]) {
    const file = await (await request.get(`${address}/cite.${form}`)).text();
    expect(file).toContain(older.content_digest);
    expect(file).not.toContain(current.version_id);
  }
  await page.getByRole("link", { name: "Go to the current version" }).click();
  await expect(page.getByText("This is the current version.")).toBeVisible();
});

test("a column of a wide table can be found by its name", async ({ page }) => {
  await page.goto("/datasets/earthquakes-2018");
  await expect(page.getByRole("heading", { name: "place", exact: true })).toHaveCount(0);
  await page.getByLabel("Go to column").selectOption("place");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await expect(page.getByRole("heading", { name: "place", exact: true })).toBeVisible();
  await expect(page.getByText("Columns 10 to 17 of 30", { exact: true })).toBeVisible();
});

test("each card has a chart of its dataset's data", async ({ page }) => {
  await page.goto("/datasets");
  const drawings = page.locator("main article img");
  expect(await drawings.count()).toBe(await page.locator("main article").count());
  const first = drawings.first();
  await expect.poll(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(184);
  const svg = await (await page.request.get("/datasets/us-flights-2001/drawing.svg")).text();
  expect(svg).toMatch(
    /^<svg .*<title>Distribution of distance \(mi\)<\/title>.*<path [^>]*d="(M[\d.]+ 36v-[\d.]+h[\d.]+v[\d.]+z){10,40}"/,
  );
});

test("each dataset has its own picture, cached by its ETag", async ({ request }) => {
  const seen = new Set<string>();
  for (const slug of ["mime-types", "us-flights-2001", "browser-compatibility"]) {
    const html = await (await request.get(`/datasets/${slug}`)).text();
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
    const address = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? "";
    const reply = await request.get(address);
    const png = await reply.body();
    expect([
      reply.headers()["content-type"],
      png.toString("latin1", 1, 4),
      png.readUInt32BE(16),
      png.readUInt32BE(20),
    ]).toEqual(["image/png", "PNG", 1200, 630]);
    expect((await request.get(address, { headers: { "if-none-match": reply.headers().etag ?? "" } })).status()).toBe(
      304,
    );
    seen.add(png.toString("base64"));
  }
  expect(seen.size).toBe(3);
  const { icons } = await (await request.get("/manifest.webmanifest")).json();
  for (const { src } of icons) expect((await request.get(src)).status(), src).toBe(200);
});

test("Croissant has the digest of the file that it names, and the page's metadata names the same file", async ({
  request,
}) => {
  const croissant = await (await request.get("/api/v2/public/datasets/mauna-loa-co2/croissant.json")).json();
  const [file] = croissant.distribution;
  const reply = await request.get(file.contentUrl, { headers: { "x-api-key": readerKey() } });
  expect(reply.headers()["x-service-content-digest"]).toBe(`sha256:${file.sha256}`);
  const html = await (await request.get("/datasets/mauna-loa-co2")).text();
  const metadata = JSON.parse(/<script[^>]*application\/ld\+json[^>]*>([^<]*)</.exec(html)?.[1] ?? "{}");
  expect(metadata).toMatchObject({ "@type": "Dataset", url: expect.stringMatching(/\/datasets\/mauna-loa-co2$/) });
  expect(metadata.distribution[0].contentUrl).toBe(file.contentUrl);
});

test("dataset and version pages: accessible in light and dark, no sideways scrolling on a phone", async ({
  page,
  request,
}) => {
  const [current] = await versionsOf(request, "mime-types");
  for (const address of [
    "/datasets/browser-compatibility?table=features",
    `/datasets/mime-types/versions/${current?.version_id}`,
  ]) {
    await page.goto(address);
    await expectAccessibleStructure(page);
    await expectFitsPhone(page);
  }
  await page.goto("/datasets/daily-weather");
  await expectAccessible(page);
  await expectFitsPhone(page);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the URL opens any table and any tab", async ({ page }) => {
    await page.goto("/datasets/browser-compatibility?table=features&use=r");
    await expect(page.getByRole("heading", { level: 2, name: "Features" })).toBeVisible();
    await expect(page.locator("pre", { hasText: "library(httr2)" })).toBeVisible();
    await page.getByRole("link", { name: /^Columns of Releases/ }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Releases" })).toBeVisible();
    await page.getByText("BibTeX", { exact: true }).click();
    await expect(page.locator("pre", { hasText: "@misc{" })).toBeVisible();
  });
});
