import { expect } from "@playwright/test";
import { readerKey } from "./service";
import { test } from "./test";

test("the service is ready, and its readers have a key", async ({ request }) => {
  expect((await request.get("/readyz")).status()).toBe(200);
  expect(readerKey()).toMatch(/^svc_use_/);
});
