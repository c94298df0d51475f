import { expect, test } from "vitest";
import type { Dataset, DatasetEntry } from "@/lib/schemas/dataset";
import type { Versions } from "@/lib/schemas/table";
import { writtenCatalogue } from "@/lib/testing/written-catalogue";
import { catalogueFeed } from "./catalogue-feed";
import { catalogueMarkdown } from "./dataset-markdown";
import { dcatCatalogue } from "./dcat";
import { llmsTxt } from "./llms-txt";
import { robotsTxt, sitemapPart, sitemapParts, sitemapXml } from "./sitemap";
import { versionsFeed } from "./versions-feed";
import { xmlElement } from "./xml";

const BASE = "https://data.example.net";
const entry = {
  title: `Birds & "bees" <b>`,
  slug: "birds",
  summary: "Counts.",
  url: `${BASE}/datasets/birds`,
  publisher: { name: "Agency", slug: "agency", url: `${BASE}/datasets?publisher=agency` },
  topics: ["nature"],
  license: "CC0-1.0",
  freshness: { state: "unknown", reason_code: "no_observation" },
  published_at: "2026-11-21T10:00:00.000Z",
  tables: [
    {
      name: "Counts",
      slug: "counts",
      version_id: "v1",
      version_number: 1,
      version_label: "1.0.0",
      license: "words of the source",
      freshness: { state: "unknown", reason_code: "no_observation" },
      bytes: 5,
      rows: 5,
      schema_url: `${BASE}/schema`,
      preview_url: `${BASE}/preview`,
      query_url: `${BASE}/query`,
      current_url: `${BASE}/current`,
    },
  ],
} as unknown as DatasetEntry;

test("publishers' text is escaped in XML", () => {
  expect(xmlElement("title", `a < b & "c" 'd' ]]>\u0000\u001b\ud800`, { "x-y": '"<' })).toBe(
    '<title x-y="&quot;&lt;">a &lt; b &amp; &quot;c&quot; &apos;d&apos; ]]&gt;</title>',
  );
});

test("the sitemap lists pages and datasets with their last change, and robots.txt links to it", () => {
  const birds = { ...mapped(1), slug: "birds", publishedMs: Date.parse("2026-11-21T10:00:00.000Z") };
  expect([...sitemapXml([birds], { base: BASE, docs: [] })].join("")).toContain(
    `<url><loc>${BASE}/datasets/birds</loc><lastmod>2026-11-21T10:00:00.000Z</lastmod></url>`,
  );
  expect([...sitemapXml([], { base: BASE, docs: [] })].join("")).toContain(`<url><loc>${BASE}/</loc></url>`);
  expect(robotsTxt(BASE)).toMatch(/^Sitemap: https:\/\/data\.example\.net\/sitemap\.xml$/m);
  // choices of facets and comparisons have no end
  expect(robotsTxt(BASE)).toMatch(/^Allow: \/datasets\?cursor=\nDisallow: \/datasets\?$/m);
  expect(robotsTxt(BASE)).toMatch(/^Disallow: \/datasets\/\*\/versions\?$/m);
});

const mapped = (number: number) => ({
  id: `${((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
  slug: `d${number}`,
  publishedMs: 0,
  topics: [`topic-${number % 10}`],
  publisherSlug: `p${number % 20}`,
});

test("a catalogue of more than 50,000 URLs has an index of sitemaps, which list every URL once", () => {
  const datasets = Array.from({ length: 50_000 }, (_, number) => mapped(number));
  const facts = { base: BASE, docs: ["/docs"] };
  const locations = (xml: Iterable<string>) =>
    [...[...xml].join("").matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
  const parts = locations(sitemapXml(datasets, facts));
  expect(parts).toEqual([0, 1, 2, 3].map((part) => `${BASE}/sitemaps/${part}.xml`));
  expect(parts.length).toBe(sitemapParts(datasets) + 1);
  const listed = parts.map((_, part) => locations(sitemapPart(part, datasets, facts)));
  for (const urls of listed) expect(urls.length).toBeLessThanOrEqual(50_000);
  expect(listed[0]).toEqual(expect.arrayContaining([`${BASE}/`, `${BASE}/docs`, `${BASE}/topics/topic-1`]));
  const all = listed.flat();
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBe(3 + 10 + 20 + 100_000);
});

test("a feed lists the versions of all tables, newest first, each with a permanent id", () => {
  const version = (id: string, published_at: string, number = 1) => ({
    version_id: id,
    content_digest: "sha256:00",
    published_at,
    rows: number * 1500,
    bytes: 2_345_678,
    change: "appended" as const,
    number,
    current: id === "v2",
    label: id === "v2" ? "1.1.0" : null,
    other_labels: [],
    notes: id === "v2" ? "More <rows>." : null,
  });
  const history = (name: string, versions: Versions["versions"]): Versions => ({
    schema_version: "service-public-table-versions.v1",
    table: { id: "t", name, slug: name },
    versions,
  });
  const dataset = { ...entry, versions_url: `${entry.url}/versions` } as unknown as Dataset;
  const histories = [
    history("a", [version("v1", "2026-01-01T00:00:00.000Z")]),
    history("b", [version("v2", "2026-02-01T00:00:00.000Z", 2), version("v0", "2025-12-01T00:00:00.000Z")]),
  ];
  const feed = versionsFeed(dataset, { histories }, BASE);
  expect([...feed.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id)).toEqual([
    `${entry.url}/versions`,
    "urn:uuid:v2",
    "urn:uuid:v1",
    "urn:uuid:v0",
  ]);
  expect(feed).toContain("<title>b 1.1.0: rows were added, 3,000 rows (1,500 more)</title>");
  expect(feed).toContain("<title>a: rows were added, 1,500 rows</title>");
  expect(feed).toContain("3,000 rows (1,500 more). 2.35 MB, sha256:00.");
  expect(feed).toContain(`<link rel="alternate" type="text/html" href="${BASE}/datasets/birds/versions/v2"/>`);
  expect(feed).toContain(`href="${BASE}/datasets/birds/versions?table=b&amp;from=v0&amp;to=v2#comparison"`);
  expect(feed.match(/rel="related"/g)).toHaveLength(1);
  expect(feed).toContain("<content>More &lt;rows&gt;.</content>");
  expect(feed).toContain("<title>Versions of Birds &amp; &quot;bees&quot; &lt;b&gt;</title>");

  const stale = (slug: string) => ({
    kind: "went_stale" as const,
    at: "2026-01-15T00:00:00.000Z",
    dataset: { id: "d", slug: "birds", title: "Birds", visibility: "public" as const },
    data: {
      tables: [{ id: "t", slug }],
      freshness: { state: "stale", reason_code: "expected_window_passed", expected_next_latest: null },
    },
  });
  const news = ["a", "b"].map((slug) => ({ id: `n-${slug}`, event: stale(slug) }));
  const ofTable = versionsFeed(dataset, { histories, news, table: "b" }, BASE);
  expect([...ofTable.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id)).toEqual([
    `${entry.url}/versions?table=b`,
    "urn:uuid:v2",
    "urn:uuid:n-b",
    "urn:uuid:v0",
  ]);
  expect(ofTable).toContain(`href="${BASE}/datasets/birds/b/versions.atom"`);
  expect(ofTable).toContain("<title>Went stale: Birds</title>");
});

test("the feed of the catalogue lists datasets newest first, each publication as a separate entry", async () => {
  const later = { ...entry, slug: "later", url: `${BASE}/datasets/later`, published_at: "2026-11-22T10:00:00.000Z" };
  const feed = await writtenCatalogue(catalogueFeed, BASE, entry, later);
  expect([...feed.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id)).toEqual([
    `${BASE}/datasets`,
    `${BASE}/datasets/later#2026-11-22T10:00:00.000Z`,
    `${BASE}/datasets/birds#2026-11-21T10:00:00.000Z`,
  ]);
  expect(feed).toContain("<updated>2026-11-22T10:00:00.000Z</updated>");
  expect(feed).toContain("<title>Birds &amp; &quot;bees&quot; &lt;b&gt;: 1.0.0</title>");
  expect(feed).toContain('<category term="nature"/>');
  expect(feed).toContain("<summary>Counts. 5 rows in 1 table.</summary>");
});

test("DCAT links licences that have a URL and quotes others as text", async () => {
  const catalogue = JSON.parse(await writtenCatalogue(dcatCatalogue, BASE, entry, { ...entry, slug: "other" }));
  const [dataset] = catalogue["dcat:dataset"] as Record<string, unknown>[];
  expect(catalogue["dcat:dataset"]).toHaveLength(2);
  expect(dataset?.["dcat:distribution"]).toMatchObject([
    {
      "dct:rights": { "rdfs:label": "words of the source" },
      "dcat:downloadURL": { "@id": `${BASE}/current?version_id=v1` },
      "dcat:accessURL": { "@id": `${BASE}/datasets/birds?table=counts` },
    },
  ]);
});

test("documents of the catalogue say whether a dataset is current only where its sources are watched", async () => {
  const stale = { ...entry, freshness: { state: "stale", reason_code: "expected_window_passed" } } as DatasetEntry;
  const overdue = { ...entry, freshness: { state: "unknown", reason_code: "observation_overdue" } } as DatasetEntry;
  const feedOf = (dataset: DatasetEntry) =>
    versionsFeed({ ...dataset, versions_url: dataset.url } as unknown as Dataset, { histories: [] }, BASE);
  for (const silent of [entry, overdue]) {
    expect(await writtenCatalogue(dcatCatalogue, BASE, silent)).not.toContain("QualityMeasurement");
    expect(await writtenCatalogue(llmsTxt, BASE, silent)).not.toMatch(/current \(|Counts\. \(/);
    expect(await writtenCatalogue(catalogueMarkdown, BASE, silent)).not.toContain("freshness");
    expect(feedOf(silent)).not.toContain("subtitle");
  }
  expect(await writtenCatalogue(dcatCatalogue, BASE, stale)).toContain(
    `{"@type":"dqv:QualityMeasurement","dqv:computedOn":{"@id":"${entry.url}"},` +
      `"dqv:isMeasurementOf":{"@id":"${BASE}/docs/freshness#states","@type":"dqv:Metric"},"dqv:value":"stale"}`,
  );
  expect(await writtenCatalogue(llmsTxt, BASE, stale)).toMatch(/: Counts\. \(stale\)$/m);
  expect(await writtenCatalogue(catalogueMarkdown, BASE, stale)).toContain("; freshness: stale");
  expect(feedOf(stale)).toContain("<subtitle>Freshness: stale. The next update should have arrived by now.</subtitle>");
});
