import { expect, test } from "vitest";
import { harvestShowcaseSources } from "@/lib/showcase/sources";
import { useTestState } from "@/lib/testing/database";
import { searchSources } from "./search-sources";

useTestState();

const search = (query: string, more: object = {}) =>
  searchSources({ query, limit: 10, format: undefined, license: undefined, ...more });

test("before a harvest there is nothing to search, and the reply says so", async () => {
  expect(await search("airports")).toMatchObject({ harvest: null, total: 0, sources: [] });
});

test("a harvest is searched by words, prefixes and columns, with its date and coverage", async () => {
  await harvestShowcaseSources();
  const { harvest, sources } = await search("airport latitude");
  expect(harvest).toMatchObject({
    provider: "vega-datasets",
    document_version: "3.2.1",
    coverage: { state: "partial", listed: 73, taken: 73, with_license: 58 },
  });
  expect(sources[0]).toMatchObject({ name: "airports", license_state: "stated" });
  expect((await search("precipitation")).sources.map(({ name }) => name)).toContain("annual_precip");
  expect((await search("earthquake zebra")).sources[0]?.name).toBe("earthquakes"); // no source has both words
  expect((await search("zebra")).total).toBe(0);
});

test("sources without a stated licence are unknown, and can be filtered by that", async () => {
  const { total, sources } = await search("", { license: "unknown", limit: 50 });
  expect([total, new Set(sources.map(({ license_state }) => license_state))]).toEqual([15, new Set(["unknown"])]);
  expect(await search("", { format: "png" })).toMatchObject({ truncated: false });
  expect(await search("' & | ! :* \\ the")).toMatchObject({ total: expect.any(Number) });
});
