import { expect, test } from "vitest";
import { baseUrl } from "@/lib/kernel/env";
import { useTestState } from "@/lib/testing/database";
import { serve } from "@/lib/testing/serve";
import { signUp } from "./sign-up";

useTestState();

test("all faults of a sign-up are reported at once", async () => {
  const headers = { "content-type": "application/json", origin: baseUrl() };
  const body = JSON.stringify({ email: "nobody", password: "short" });
  const request = new Request(`${baseUrl()}/api/account/sign-up`, { method: "POST", headers, body });
  const reply = await serve({ POST: signUp }).POST(request, { params: Promise.resolve({}) });
  const { details } = await reply.json();
  expect(reply.status).toBe(400);
  expect(details).toMatchObject([
    { pointer: "/email", message: expect.stringContaining("Enter a valid email address.") },
    { pointer: "/password", message: expect.stringContaining("Use at least 10 characters.") },
  ]);
});
