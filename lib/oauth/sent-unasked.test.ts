import { expect, test } from "vitest";
import { handle } from "@/lib/door/handle";
import { useTestState } from "@/lib/testing/database";
import { registerClient } from "./registration";

useTestState();

/** Where a browser is redirected whose request cannot be shown to a person. */
async function sentTo(redirect: string): Promise<string> {
  const { body } = await registerClient({ client_name: "Test agent", redirect_uris: [redirect] }, new Date());
  const query = new URLSearchParams({
    client_id: String(body?.client_id),
    redirect_uri: redirect,
    response_type: "token",
  });
  return (await handle(new Request(`http://localhost/oauth/authorize?${query}`))).headers.get("location") ?? "";
}

test("a self-registered client cannot use us as an open redirector without consent", async () => {
  for (const site of [
    "https://evil.example/login",
    "https://localhost.evil.example/",
    "https://127.0.0.1.evil.example/?a=http://localhost",
  ]) {
    expect(await sentTo(site)).toMatch(/^\/oauth\/consent\?/);
  }
});

test("a client on the person's own machine gets its error by redirect", async () => {
  expect(await sentTo("http://127.0.0.1/callback")).toMatch(
    /^http:\/\/127\.0\.0\.1\/callback\?error=unsupported_response_type&/,
  );
  const app = "cursor://anysphere.cursor-mcp/oauth/callback";
  expect(await sentTo(app)).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?error=/);
});
