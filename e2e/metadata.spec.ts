import { createHash } from "node:crypto";
import { expect } from "@playwright/test";
import { readerKey } from "./service";
import { test } from "./test";

const SLUG = "mauna-loa-co2";

test("sitemap, robots and feed are well-formed and lead to pages that exist", async ({ page, request }) => {
  await page.goto("/docs");
  const parsed = await page.evaluate(async (slug) => {
    const read = async (path: string) =>
      new DOMParser().parseFromString(await (await fetch(path)).text(), "application/xml");
    const documents = ["/sitemap.xml", `/datasets/${slug}/versions.atom`, "/datasets.atom"].map(read);
    const [sitemap, feed, catalogue] = (await Promise.all(documents)) as [Document, Document, Document];
    const texts = (document: Document, name: string) =>
      [...document.getElementsByTagName(name)].map((node) => node.textContent ?? "");
    return {
      errors: [sitemap, feed, catalogue].map((document) => document.querySelector("parsererror")?.textContent),
      urls: texts(sitemap, "loc"),
      ids: texts(feed, "id"),
      published: texts(catalogue, "id"),
    };
  }, SLUG);
  expect(parsed.errors).toEqual([undefined, undefined, undefined]);
  expect(new Set(parsed.urls).size).toBe(parsed.urls.length);
  expect(parsed.urls).toEqual(
    expect.arrayContaining([expect.stringMatching(/\/docs$/), expect.stringMatching(`/datasets/${SLUG}$`)]),
  );
  for (const url of parsed.urls.slice(0, 8)) expect((await request.get(url)).status()).toBe(200);
  const dataset = await (await request.get(`/api/v2/public/datasets/${SLUG}`)).json();
  expect(parsed.ids).toContain(`urn:uuid:${dataset.tables[0].version_id}`);
  expect(parsed.published).toContainEqual(expect.stringMatching(`/datasets/${SLUG}#\\d{4}-`));
  expect(await (await request.get("/robots.txt")).text()).toMatch(/^Sitemap: http.*\/sitemap\.xml$/m);
});

test("the Data Package and the DCAT catalogue name the files that are served, with their real digest and size", async ({
  request,
}) => {
  const dataPackage = await (await request.get(`/api/v2/public/datasets/${SLUG}/datapackage.json`)).json();
  const [resource] = dataPackage.resources;
  const file = await (await request.get(resource.path, { headers: { "x-api-key": readerKey() } })).body();
  expect(resource).toMatchObject({
    bytes: file.length,
    hash: `sha256:${createHash("sha256").update(file).digest("hex")}`,
  });
  expect(resource.schema.fields.map(({ name }: { name: string }) => name)).toContain("CO2");
  const reply = await request.get("/catalog.jsonld");
  expect(reply.headers()["content-type"]).toBe("application/ld+json; charset=utf-8");
  const catalogue = await reply.json();
  const all = await (await request.get("/api/v2/public/datasets?limit=1")).json();
  expect(catalogue["dcat:dataset"]).toHaveLength(all.total);
  const distributions = catalogue["dcat:dataset"].flatMap(
    (entry: Record<string, unknown>) => entry["dcat:distribution"],
  );
  const own = distributions.find(
    (entry: Record<string, Record<string, string>>) => entry["dcat:downloadURL"]?.["@id"] === resource.path,
  );
  expect(own["dcat:byteSize"]).toEqual({ "@value": String(file.length), "@type": "xsd:nonNegativeInteger" });
});

test("a private or unknown dataset has none of them", async ({ request }) => {
  for (const path of [
    "/datasets/no-such-dataset/versions.atom",
    "/api/v2/public/datasets/no-such-dataset/datapackage.json",
  ]) {
    expect((await request.get(path)).status()).toBe(404);
  }
});
