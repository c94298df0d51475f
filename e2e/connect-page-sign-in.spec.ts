import { expect, type Page } from "@playwright/test";
import { BrowserPerson } from "./browser-person";
import { failsWith, form, leftBehind, open, paste, verdicts, works } from "./connection-test";
import { rowsOf } from "./service";
import { test } from "./test";
import { used } from "./used-secrets";

/** Runs the test with a sign-in, and answers the consent page with this button. */
async function signIn(page: Page, answer: "Allow" | "Deny", at = ""): Promise<void> {
  await open(page, `test=sign-in${at}`);
  await form(page).getByRole("button", { name: "Test" }).click();
  const opener = form(page).getByRole("button", { name: "Open the approval page" });
  await expect(opener).toBeFocused();
  const [question] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
  await expect(question.getByRole("heading", { level: 1 })).toHaveText("Connect Docs test?");
  await question.getByRole("button", { name: answer, exact: true }).click();
}

const connections = (email: string) =>
  rowsOf(`SELECT c."revokedAt" FROM "AgentConnection" c JOIN "User" u ON u.id = c."userId" WHERE u.email = $1`, [
    email,
  ]);

test("the page connects like a client, calls, refreshes, and ends only its own connection", async ({ browser }) => {
  const person = await BrowserPerson.signedIn(browser, "connect-page");
  const { page } = person;
  page.on("response", async (response) => {
    if (!response.url().endsWith("/api/oauth/token")) return;
    const tokens = await response.json().catch(() => ({}));
    for (const name of ["access_token", "refresh_token"]) used(tokens[name] ?? "", `the connection test's ${name}`);
  });
  await signIn(page, "Allow");
  await works(page);
  await expect(verdicts(page).filter({ has: page.getByRole("img", { name: "Works:" }) })).toHaveCount(14);
  expect(await leftBehind(page)).not.toMatch(/svc_o|code=/);
  await signIn(page, "Allow", "&at=account");
  await works(page);
  const made = await connections(person.email);
  expect([made.length, made.every(({ revokedAt }) => revokedAt !== null)]).toEqual([2, true]);
  await page.goto("/settings/access");
  await expect(page.getByText("No connected agents")).toBeVisible();
});

test("a person who does not allow it, or stops waiting, sees that nothing was connected", async ({ browser }) => {
  const person = await BrowserPerson.signedIn(browser, "connect-page-no");
  const { page } = person;
  await signIn(page, "Deny");
  await failsWith(page, "Your consent", "You denied access", "test again");
  await form(page).getByRole("button", { name: "Test again" }).click();
  await form(page).getByRole("button", { name: "Stop waiting" }).click();
  await failsWith(page, "Your consent", "You cancelled the test", "Test again");
  expect((await connections(person.email)).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
});

test(
  "an access token of a client says what it is, whose address it is for, and that it was ended or has " + "expired",
  async ({ browser, page }) => {
    const person = await BrowserPerson.signedIn(browser, "connect-page-token");
    const token = new Promise<string>((resolve) => {
      person.page.on("response", async (response) => {
        if (response.url().endsWith("/api/oauth/token")) resolve((await response.json()).access_token);
      });
    });
    await person.page.route("**/api/oauth/revoke", (route) =>
      route.fulfill({ status: 200, headers: { "x-request-id": "req_x" }, body: "" }),
    );
    await signIn(person.page, "Allow");
    const access = used(await token, "the connection test's first access token");
    await expect(verdicts(person.page).filter({ hasText: "The connection may still exist" })).toBeVisible();
    await paste(page, access);
    await works(page);
    await expect(verdicts(page).filter({ hasText: "An access token" })).toBeVisible();
    await paste(page, access, "&at=account");
    await failsWith(page, "Host and origin", "is valid only for", "at http");
    const set =
      `UPDATE "OAuthToken" t SET "expiresAt" = now() FROM "AgentConnection" c JOIN "User" u ON u.id = c."userId" ` +
      `WHERE t."connectionId" = c.id AND u.email = $1`;
    await rowsOf(set, [person.email]);
    await paste(page, access);
    await failsWith(page, "Host and origin", "This access token has expired", "Have the client refresh it");
    await rowsOf(
      `UPDATE "AgentConnection" c SET "revokedAt" = now() FROM "User" u WHERE u.id = c."userId" AND u.email = $1`,
      [person.email],
    );
    await paste(page, access);
    await failsWith(page, "Host and origin", "This connection was revoked", "Connect the client again");
  },
);
