import { randomBytes } from "node:crypto";
import { type Browser, type BrowserContext, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { newEmail, Person } from "./people";
import { noteCookies, noteFound, used } from "./used-secrets";

/** A password that nobody else in the run has. */
export const newPassword = (): string => used(`pw ${randomBytes(12).toString("base64url")}`, "password");

interface Arrival extends BrowserContextOptions {
  /** The service that they use, if it is not the run's own. */
  base?: string;
  email?: string;
  password?: string;
}

/** A person who uses the pages in a browser. */
export class BrowserPerson {
  private constructor(
    readonly email: string,
    public password: string,
    readonly page: Page,
    private readonly base: string,
  ) {}

  /** Somebody without an account, in a fresh browser. */
  static async arrive(
    browser: Browser,
    name: string,
    { base, email, password, ...options }: Arrival = {},
  ): Promise<BrowserPerson> {
    const context = await browser.newContext({ ...(base && { baseURL: base }), ...options });
    return new BrowserPerson(email ?? newEmail(name), password ?? newPassword(), await context.newPage(), base ?? "");
  }

  /** Somebody new who is already signed in. Only tests of signing up itself need its page. */
  static async signedIn(browser: Browser, name: string, arrival: Arrival = {}): Promise<BrowserPerson> {
    const person = await BrowserPerson.arrive(browser, name, arrival);
    const { base } = arrival;
    const account = await new Person(person.email, { password: person.password, ...(base && { base }) }).signUp();
    await person.context.addCookies(account.browserCookies);
    return person;
  }

  /** The browser of a person who has only used HTTP so far. */
  static async of(browser: Browser, account: Person): Promise<BrowserPerson> {
    const person = await BrowserPerson.arrive(browser, "", { email: account.email, password: account.password });
    await person.context.addCookies(account.browserCookies);
    return person;
  }

  /** The same person in another browser, not signed in. */
  async elsewhere(browser: Browser): Promise<BrowserPerson> {
    return BrowserPerson.arrive(browser, "", { base: this.base, email: this.email, password: this.password });
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  async signUp(path = "/sign-up"): Promise<this> {
    await this.page.goto(path);
    await this.page.getByLabel("Email").fill(this.email);
    await this.passwordField.fill(this.password);
    await this.page.getByRole("button", { name: "Sign up" }).click();
    // the first after a start is slow
    await expect(this.page.getByRole("heading", { name: "Sign up", exact: true })).toBeHidden();
    return this;
  }

  async signIn(path = "/sign-in"): Promise<this> {
    await this.trySignIn(this.password, path);
    await expect(this.page.getByRole("heading", { name: "Sign in", exact: true })).toBeHidden();
    return this;
  }

  async trySignIn(password: string, path = "/sign-in"): Promise<void> {
    await this.page.goto(path);
    await this.page.getByLabel("Email").fill(this.email);
    await this.passwordField.fill(password);
    await this.page.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  get passwordField() {
    return this.page.getByRole("textbox", { name: "Password", exact: true });
  }

  /** The error that the page shows. */
  get problem() {
    return this.page.getByRole("main").getByRole("alert");
  }

  async cookie(name: string) {
    const found = (await this.context.cookies()).find((cookie) => cookie.name === name);
    noteCookies(`${name}=${found?.value ?? ""}`, "of a browser");
    return found;
  }

  /** The status of the account's own call with this browser's cookies. */
  async accountStatus(): Promise<number> {
    return (await this.context.request.get(`${this.base}/api/account`)).status();
  }

  /** Creates a workspace on its page and returns its id. */
  async makeWorkspace(name: string): Promise<string> {
    await this.page.goto("/settings/workspace");
    await this.page.getByLabel("Name of the new workspace").fill(name);
    await this.page.getByRole("button", { name: "Create", exact: true }).click();
    await this.page.waitForURL(/\?workspace=/);
    return new URL(this.page.url()).searchParams.get("workspace") ?? "";
  }

  /** Requests an invitation link on a workspace's page. */
  async invite(workspaceId: string): Promise<string> {
    await this.page.goto(`/settings/workspace?workspace=${workspaceId}`);
    await this.page.getByRole("button", { name: "Create link" }).click();
    const link = (await this.page.locator("code", { hasText: "/invitation#token=" }).textContent()) ?? "";
    noteFound(link, "an invitation");
    return link;
  }
}
