import { expect } from "@playwright/test";
import { BrowserPerson, newPassword } from "./browser-person";
import { LimitedService, roomySignIns } from "./limited-service";
import { Mailbox } from "./mailbox";
import { portOf } from "./ports";
import { test } from "./test";

const mailbox = new Mailbox(portOf("mailbox"));
const service = new LimitedService("email", { ...roomySignIns(), SMTP_URL: mailbox.url });
const { base } = service;

test.beforeAll(async () => {
  await mailbox.open();
  await service.start();
});

test.afterAll(async () => {
  await service.stop();
  await mailbox.close();
});

test(
  "an account is of use once its address is confirmed by the button of the mailed page, and by nothing that " +
    "merely opens the link",
  async ({ browser }) => {
    const ada = await BrowserPerson.arrive(browser, "ada", { base });
    const { page } = ada;
    await ada.signUp();
    await expect(page.getByRole("heading", { name: "Check your email" })).toBeFocused();
    const { subject, link } = await mailbox.mailTo(ada.email);
    expect(subject).toBe("Confirm your email address");
    const either =
      "Wrong email address or password. If your address isn’t confirmed yet, we’ve sent the confirmation email again.";
    await ada.trySignIn(ada.password);
    await expect(ada.problem).toHaveText(either);
    await mailbox.mailTo(ada.email, 2);
    await ada.trySignIn(newPassword());
    await expect(ada.problem).toHaveText(either);
    for (let opened = 0; opened < 2; opened++) await fetch(link); // a program that scans emails
    await page.goto(link);
    await expect(page, "the token leaves the address bar").toHaveURL(/\/verify-email$/);
    await page.getByLabel("Password", { exact: true }).fill("another's password");
    await page.getByRole("button", { name: "Confirm email address" }).click();
    await expect(page.getByText("Wrong password. Enter the password you chose at sign-up")).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: "Confirm email address" }).click();
    await expect(page.getByRole("status").first()).toHaveText("Your email address is confirmed. Sign in to continue.");
    await ada.signIn();
    await page.goto("/settings/account");
    await expect(page.getByText("confirmed", { exact: true })).toBeVisible();
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: "Confirm email address" }).click();
    await expect(ada.problem).toHaveText(/has been used/);
  },
);

test("signing up with a taken address reads the same, and only its owner is notified", async ({ browser }) => {
  const owner = await BrowserPerson.arrive(browser, "taken", { base });
  await owner.signUp();
  await mailbox.mailTo(owner.email);
  const first = await owner.page.getByRole("main").textContent();
  const other = await BrowserPerson.arrive(browser, "other", { base, email: owner.email });
  await other.signUp();
  expect(await other.page.getByRole("main").textContent()).toBe(first);
  expect((await mailbox.mailTo(owner.email, 2)).subject).toBe("You already have an account");
});

test("a forgotten password is reset with a single-use emailed link, and every session ends", async ({ browser }) => {
  const person = await confirmed(browser, "forgetful");
  const visitor = await BrowserPerson.arrive(browser, "visitor", { base, email: person.email });
  const { page } = visitor;
  const answers = [];
  for (const email of [person.email, "nobody-at-all@example.com"]) {
    await page.goto("/forgot-password");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expect(page.getByText("Check your email")).toBeVisible();
    answers.push(await page.getByRole("main").textContent());
  }
  expect(answers[0], "the page does not tell who has an account").toBe(answers[1]);
  const { link, subject } = await mailbox.mailTo(person.email, 2);
  expect(subject).toBe("Set a new password");
  await page.goto(link);
  const field = page.getByLabel("New password");
  await field.fill("password123");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(field, "a weak one does not use up the link").toHaveAccessibleDescription(/easy to guess/);
  visitor.password = newPassword();
  await field.fill(visitor.password);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page).toHaveURL(/\/sign-in\?after=password$/);
  expect(await person.accountStatus()).toBe(401);
  await visitor.signIn();
  expect(await visitor.accountStatus()).toBe(200);
  expect(mailbox.received.filter(({ to }) => to === "nobody-at-all@example.com")).toEqual([]);
});

for (const javaScriptEnabled of [true, false]) {
  test(
    `a mailed link signs in, ${javaScriptEnabled ? "with" : "asked for without"} script, once, and only by its ` +
      "own page",
    async ({ browser }) => {
      const person = await BrowserPerson.arrive(browser, "linked", { base, javaScriptEnabled });
      await person.page.goto("/sign-in?callbackUrl=/settings/account");
      await person.page.getByLabel("Email").fill(person.email);
      await person.page.getByRole("button", { name: "Email me a link instead" }).click();
      await expect(person.page.getByRole("heading", { level: 1 })).toHaveText("Check your email");
      const { link } = await mailbox.mailTo(person.email);
      const straight = `${base}/api/auth/callback/email?${new URL(link).hash.slice(1)}`;
      expect((await fetch(straight, { redirect: "manual" })).status, "a link elsewhere signs nobody in").toBe(403);
      const { page } = await BrowserPerson.arrive(browser, "", { base });
      await page.goto(link);
      await expect(page.getByRole("main")).toContainText(person.email);
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page).toHaveURL(/\/settings\/account$/);
      await expect(page.getByText("confirmed", { exact: true })).toBeVisible();
      await page.context().clearCookies();
      await page.goto(link);
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toHaveText(
        "This link has been used or has expired. Request a new one.",
      );
    },
  );
}

test("an invitation is emailed, whatever the workspace's name, and can be accepted", async ({ browser }) => {
  const host = await confirmed(browser, "host");
  const name = 'Team <b>"bold"</b>, =3D & \u{1f9ea}';
  await host.makeWorkspace(name);
  const { page } = host;
  const guest = await confirmed(browser, "guest");
  await page.getByLabel("Email (optional)").fill(guest.email);
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByText(`Link sent to ${guest.email}.`)).toBeVisible();
  const { link, text } = await mailbox.mailTo(guest.email, 2);
  expect(Buffer.from(text, "latin1").toString()).toContain(name);
  expect(text).toContain(`${host.email} invited you`);
  await guest.page.goto(link);
  await guest.page.getByRole("button", { name: "Accept" }).click();
  await expect(guest.page).toHaveURL(/\/settings\/workspace\?workspace=/);
});

async function confirmed(browser: Parameters<typeof BrowserPerson.arrive>[0], name: string): Promise<BrowserPerson> {
  const person = await BrowserPerson.arrive(browser, name, { base });
  await person.signUp();
  await person.page.goto((await mailbox.mailTo(person.email)).link);
  await person.page.getByLabel("Password", { exact: true }).fill(person.password);
  await person.page.getByRole("button", { name: "Confirm email address" }).click();
  await person.page.waitForURL(/after=verified/);
  return person.signIn();
}
