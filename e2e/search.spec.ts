import { type APIRequestContext, expect } from "@playwright/test";
import { COLD_SEARCHES } from "@/lib/testing/cold-searches";
import { test } from "./test";

interface Found {
  total: number;
  datasets: { slug: string; title: string; published_at: string; matched_on?: string[] }[];
  nearest?: { slug: string }[];
  next_cursor: string | null;
}

const search = async (request: APIRequestContext, params: Record<string, string | number>): Promise<Found> =>
  (await request.get("/api/v2/public/datasets", { params })).json();

/** A search text and the slug that must come first. */
const FIRST: readonly [text: string, slug: string][] = [
  ["co2", "mauna-loa-co2"],
  ["carbon dioxide", "mauna-loa-co2"],
  ["flights", "us-flights-2001"],
  ["flying delays", "us-flights-2001"],
  ["earthqake", "earthquakes-2018"],
  ["magnitude", "earthquakes-2018"],
  ["mime", "mime-types"],
  ["node", "nodejs-releases"],
  ["licenses", "spdx-licenses"],
  ["pengin", "palmer-penguins"],
  ["zip", "us-zip-codes"],
  ["bird strikes", "bird-strikes"],
  ["seattle rain", "daily-weather"],
  ["browser", "browser-compatibility"],
  ["iso 639 language", "language-subtags"],
];

for (const [text, slug] of FIRST) {
  test(`"${text}" finds ${slug} first`, async ({ request }) => {
    const { datasets } = await search(request, { q: text });
    expect(datasets[0]?.slug).toBe(slug);
    expect(datasets[0]?.matched_on?.length).toBeGreaterThan(0);
  });
}

for (const params of [{}, { sort: "title" }, { q: "data" }] as Record<string, string>[]) {
  test(`page by page ${JSON.stringify(params)} returns what one page returns`, async ({ request }) => {
    const whole = await search(request, { ...params, limit: 100 });
    expect(whole.next_cursor).toBeNull();
    expect(whole.datasets).toHaveLength(whole.total);
    const slugs: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await search(request, { ...params, limit: 2, ...(cursor && { cursor }) });
      slugs.push(...page.datasets.map((entry) => entry.slug));
      cursor = page.next_cursor;
    }
    expect(slugs).toEqual(whole.datasets.map((entry) => entry.slug));
  });
}

test("without a search text the newest come first, and filters narrow", async ({ request }) => {
  const { datasets } = await search(request, { limit: 100 });
  const times = datasets.map((entry) => entry.published_at);
  expect([...times].sort().reverse()).toEqual(times);
  for (const [params, slug] of [
    [{ topic: "aviation", license: "US government work" }, "us-flights-2001"],
    [{ license: "MIT", sort: "title" }, "mime-types"],
  ] as const) {
    expect((await search(request, params)).datasets.map((entry) => entry.slug)).toContain(slug);
  }
  expect((await search(request, { topic: "no such topic" })).total).toBe(0);
});

test("a cursor from another search is rejected", async ({ request }) => {
  const { next_cursor } = await search(request, { limit: 2 });
  const reply = await request.get("/api/v2/public/datasets", {
    params: { limit: 2, sort: "title", cursor: next_cursor ?? "" },
  });
  expect([reply.status(), (await reply.json()).error]).toEqual([400, "invalid_cursor"]);
});

const NOT_FIRST_MAX = 3;

test(`${COLD_SEARCHES.length} searches in other people's words find their dataset first, and none is denied`, async ({
  request,
}) => {
  const missed: string[] = [];
  for (const [text, slug] of COLD_SEARCHES) {
    const { total, datasets, nearest = [] } = await search(request, { q: text });
    expect.soft([text, total + nearest.length > 0]).toEqual([text, true]);
    if (datasets[0]?.slug !== slug) missed.push(`“${text}”: ${slug}, not ${datasets[0]?.slug ?? "nothing"}`);
  }
  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(NOT_FIRST_MAX);
});

test("a value is found, and the page says where; a search that matches in part shows the nearest datasets", async ({
  page,
}) => {
  await page.goto("/datasets?q=90210");
  const card = page.getByRole("article").filter({ hasText: "Has the value “90210” in the column zip_code" });
  await expect(card.getByRole("heading")).toHaveText("US ZIP codes");
  await page.goto("/datasets?q=busiest+airports+zzyzx");
  await expect(page.getByText("No dataset matches all your words. These match some of them.")).toBeVisible();
  const nearest = page.getByRole("list", { name: "Nearest datasets" }).getByRole("article");
  await expect(nearest.first()).toContainText("Does not mention “busiest”, “zzyzx”");
});
