import { expect } from "@playwright/test";
import { test } from "./test";

test("the service is ready", async ({ request }) => {
  expect((await request.get("/readyz")).status()).toBe(200);
});
