import { expect, test } from "vitest";
import type { Dataset, DatasetEntry } from "@/lib/schemas/dataset";
import type { Versions } from "@/lib/schemas/table";
import { dcatCatalogue } from "./dcat";
import { robotsTxt, sitemapXml } from "./sitemap";
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
  published_at: "2026-11-21T10:00:00.000Z",
  tables: [
    {
      name: "Counts",
      slug: "counts",
      version_id: "v1",
      license: "words of the source",
      bytes: 5,
      current_url: `${BASE}/current`,
    },
  ],
} as unknown as DatasetEntry;

test("what a publisher writes stays text in XML", () => {
  expect(xmlElement("title", `a < b & "c" 'd' ]]>\u0000\u001b\ud800`, { "x-y": '"<' })).toBe(
    '<title x-y="&quot;&lt;">a &lt; b &amp; &quot;c&quot; &apos;d&apos; ]]&gt;</title>',
  );
});

test("the sitemap names pages and datasets with the time of their last change, and robots where it is", () => {
  expect(sitemapXml([entry], BASE)).toContain(
    `<url><loc>${BASE}/datasets/birds</loc><lastmod>2026-11-21T10:00:00.000Z</lastmod></url>`,
  );
  expect(sitemapXml([], BASE)).toContain(`<url><loc>${BASE}/</loc></url>`);
  expect(robotsTxt(BASE)).toMatch(/^Sitemap: https:\/\/data\.example\.net\/sitemap\.xml$/m);
});

test("a feed tells of the versions of all tables, newest first, each under its own lasting id", () => {
  const version = (id: string, published_at: string) => ({
    version_id: id,
    content_digest: "sha256:00",
    published_at,
    rows: 1,
    bytes: 2,
    change: "appended" as const,
  });
  const history = (name: string, versions: Versions["versions"]): Versions => ({
    schema_version: "service-public-table-versions.v1",
    table: { id: "t", name, slug: name },
    versions,
  });
  const dataset = { ...entry, versions_url: `${entry.url}/versions` } as unknown as Dataset;
  const feed = versionsFeed(
    dataset,
    [
      history("a", [version("v1", "2026-01-01T00:00:00.000Z")]),
      history("b", [version("v2", "2026-02-01T00:00:00.000Z")]),
    ],
    BASE,
  );
  expect([...feed.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id)).toEqual([
    `${entry.url}/versions`,
    "urn:uuid:v2",
    "urn:uuid:v1",
  ]);
  expect(feed).toContain("<title>Versions of Birds &amp; &quot;bees&quot; &lt;b&gt;</title>");
});

test("the catalogue in DCAT links licences that have an address and quotes the words of others", () => {
  const [dataset] = (dcatCatalogue([entry], BASE) as Record<string, Record<string, unknown>[]>)["dcat:dataset"] ?? [];
  expect(dataset?.["dcat:distribution"]).toMatchObject([
    {
      "dct:rights": { "rdfs:label": "words of the source" },
      "dcat:downloadURL": { "@id": `${BASE}/current?version_id=v1` },
      "dcat:accessURL": { "@id": `${BASE}/datasets/birds?table=counts` },
    },
  ]);
});
