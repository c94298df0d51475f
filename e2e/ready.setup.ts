import { expect } from "@playwright/test";
import { readerKey } from "./service";
import { test } from "./test";

const FILL_MS = 1_500_000;

test("the service is ready, its catalogue reports progress until it is full, and its readers have a key", async ({
  request,
}) => {
  test.setTimeout(FILL_MS);
  expect((await request.get("/readyz")).status()).toBe(200);
  const filling = async () => {
    const page = await (await request.get("/status")).text();
    expect(page).not.toContain("Filling the catalogue has stopped");
    return page.includes("The catalogue is being filled");
  };
  await expect.poll(filling, { timeout: FILL_MS, intervals: [2_000] }).toBe(false);
  const catalogue = (await (await request.get("/api/v2/public/datasets?limit=1")).json()) as { total: number };
  expect(catalogue.total).toBeGreaterThanOrEqual(12);
  expect(readerKey()).toMatch(/^svc_use_/);
});
