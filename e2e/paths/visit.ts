import { readFile } from "node:fs/promises";
import { type APIRequestContext, type Browser, expect, type Locator, type Page } from "@playwright/test";
import type { BrowserPerson } from "../browser-person";
import { tableOf } from "../catalogue";
import type { Hands } from "../hands";

/** One step of a task, in plain words and as it is done. */
export type Step = readonly [words: string, act: (visit: Visit) => Promise<unknown>];

/** What somebody comes for, with its steps; the last of them compare what they have with a source of its own. */
export interface Task {
  /** One sentence. */
  wish: string;
  /** Also possible in a browser without script. */
  isScriptless?: true;
  /** Why not by every hands. */
  onlyBy?: readonly string[];
  /** Done in every run of the specs, not only in the trial. */
  isSeed?: true;
  steps: readonly Step[];
}

/** Everything that a person comes for. */
export interface Path {
  person: string;
  /** They have an account from the start. */
  isSignedIn?: true;
  /** Each task continues from the one before. */
  isChained?: true;
  /** What exists before they come. */
  prepare?: (visit: Visit) => Promise<void>;
  tasks: readonly Task[];
}

/** A person on their way, who notes what they did. */
export class Visit {
  /** Links, buttons, fields and addresses so far. */
  actions = 0;
  /** What they noted on the way, for later tasks. */
  readonly notes = new Map<string, string>();

  constructor(
    readonly person: BrowserPerson,
    readonly hands: Hands,
  ) {}

  get page(): Page {
    return this.person.page;
  }

  get browser(): Browser {
    const browser = this.page.context().browser();
    if (!browser) throw new Error("The browser is closed");
    return browser;
  }

  /** Requests with the person's session. */
  get request(): APIRequestContext {
    return this.page.context().request;
  }

  private get isKeyboard(): boolean {
    return this.hands.name.endsWith("keyboard");
  }

  note(name: string): string {
    const noted = this.notes.get(name);
    if (noted === undefined) throw new Error(`Nothing was noted as ${name}`);
    return noted;
  }

  async open(address: string): Promise<void> {
    this.actions++;
    await this.page.goto(address);
  }

  async press(target: Locator): Promise<void> {
    this.actions++;
    await this.hands.press(target);
  }

  /** Presses a link by its name. */
  link(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    const links = within.getByRole("link", { name, ...(typeof name === "string" && { exact: true }) });
    return this.press(links.filter({ visible: true }).first());
  }

  /** Presses a button by its name. */
  button(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return this.press(within.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) }).first());
  }

  /** Opens or closes what a summary hides. */
  summary(text: string | RegExp): Promise<void> {
    return this.press(this.page.locator("main summary", { hasText: text }).first());
  }

  async write(field: Locator, text: string): Promise<void> {
    this.actions++;
    await this.hands.write(field, text);
  }

  /** Writes a day in a field of a calendar. By keys its parts are typed as this browser's language orders them. */
  async writeDay(field: Locator, day: string): Promise<void> {
    this.actions++;
    if (!this.isKeyboard) return field.fill(day);
    const [year = "", month = "", date = ""] = day.split("-");
    await this.hands.reach(field);
    await this.page.keyboard.type(`${month}${date}${year}`);
    await expect(field).toHaveValue(day);
  }

  async enter(): Promise<void> {
    this.actions++;
    await this.page.keyboard.press("Enter");
  }

  async choose(select: Locator, option: string): Promise<void> {
    this.actions++;
    await this.hands.choose(select, option);
  }

  /** Opens the menu of a column. By keys the grid is one stop, in which the arrows lead to its heads. */
  async columnMenu(column: string): Promise<void> {
    const menu = this.page.getByRole("button", { name: `About ${column}`, exact: true });
    if (!this.isKeyboard) return this.press(menu);
    this.actions++;
    await this.hands.reach(this.page.locator("[data-cell][tabindex='0']"));
    await this.page.keyboard.press("ArrowUp");
    while (!(await menu.evaluate((element) => element === document.activeElement)))
      await this.page.keyboard.press("ArrowRight");
    await this.page.keyboard.press("Enter");
  }

  async check(box: Locator): Promise<void> {
    this.actions++;
    if (!this.isKeyboard) return box.check();
    await this.hands.reach(box);
    await this.page.keyboard.press("Space");
    await expect(box).toBeChecked();
  }

  /** Chooses a tab, whose button is its label. */
  async tab(name: string): Promise<void> {
    this.actions++;
    const radio = this.page.getByRole("radio", { name, exact: true });
    if (!this.isKeyboard) return this.hands.press(this.page.locator(`label[for="${await radio.getAttribute("id")}"]`));
    // one stop for all of them: the arrows lead from the chosen one to the others
    await this.hands.reach(radio.locator("xpath=../input[@type='radio']").and(this.page.locator(":checked")));
    while (!(await radio.isChecked())) await this.page.keyboard.press("ArrowRight");
  }

  /** The file that a press saves. */
  async saved(press: () => Promise<void>): Promise<{ name: string; bytes: Buffer; text: string }> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), press()]);
    const bytes = await readFile(await download.path());
    return { name: download.suggestedFilename(), bytes, text: bytes.toString("utf8") };
  }

  /** A reply of the service's own interface. */
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes, which the tasks inspect
  async json(path: string): Promise<any> {
    return (await this.request.get(path)).json();
  }

  /** The entry of a public table. */
  table(dataset: string, table?: string) {
    return tableOf(this.request, dataset, table);
  }

  /** The rows that a query of a public table returns. */
  async query(dataset: string, body: object): Promise<Record<string, unknown>[]> {
    const { tableId } = await this.table(dataset);
    const reply = await this.request.post(`/api/public/tables/${tableId}/query`, { data: body });
    return (await reply.json()).rows;
  }

  async versions(dataset: string, table?: string) {
    const { tableId } = await this.table(dataset, table);
    const { versions } = await this.json(`/api/v2/public/tables/${tableId}/versions`);
    return versions as { version_id: string; label: string; rows: number; content_digest: string }[];
  }

  heading(name: string | RegExp): Promise<void> {
    return expect(this.page.getByRole("heading", { level: 1, name })).toBeVisible();
  }

  /** The text in which the page says so. */
  says(text: string | RegExp): Promise<void> {
    return expect(this.page.getByRole("main")).toContainText(text);
  }

  cell(row: number, column: number): Locator {
    return this.page.locator(`[data-cell="${row}:${column}"]`);
  }
}
