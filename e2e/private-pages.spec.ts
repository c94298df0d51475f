import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import { expectAccessible, expectAccessibleStructure, expectFitsPhone } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { invite, newEmail, Person, setVisibility } from "./people";
import { scratchFolder } from "./scratch";
import { parquetryBeside } from "./service";
import { test } from "./test";

const SLUG = `levels-of-our-own-${randomBytes(4).toString("hex")}`;
const TITLE = "Levels of our own";
const VALUE = "Kwqzz Weir";
const FOLDER = `/datasets/${SLUG}`;
const TABLE = `${FOLDER}/rows`;

const owner = new Person(newEmail("private-owner"));
const member = new Person(newEmail("private-member"));
const stranger = new Person(newEmail("private-stranger"));
let versions: [string, string] = ["", ""];

test.beforeAll(async () => {
  await Promise.all([owner, member, stranger].map((person) => person.signUp()));
  const { json } = await owner.call("POST", "/api/account/workspaces", { name: "Gauge Office" });
  const workspace: string = json.workspace.id;
  await invite(owner, member, workspace);
  const first = await publish(`1,${VALUE}\n`, "--private", "--workspace", workspace);
  const second = await publish(`1,${VALUE}\n2,Lower Mill\n3,Upper Mill\n`);
  versions = [first, second];
});

async function publish(rows: string, ...access: readonly string[]): Promise<string> {
  const file = join(scratchFolder("private-pages"), "rows.csv");
  writeFileSync(file, `id,gauge\n${rows}`);
  const about = ["--dataset", SLUG, "--table", "rows", "--primary-key", "id", "--title", TITLE];
  const by = ["--publisher", "Gauge Office of the spec", "--license", "CC0-1.0"];
  return JSON.parse(await parquetryBeside("publish", file, ...about, ...by, ...access, "--json")).version_id;
}

/** Every page below a dataset, and a word that only its readers may see. */
const PAGES: Readonly<Record<string, { path: () => string; shows: () => string }>> = {
  dataset: { path: () => FOLDER, shows: () => VALUE },
  explorer: { path: () => TABLE, shows: () => VALUE },
  "explorer with a chart": { path: () => `${TABLE}?group=gauge&agg=count::n&chart=bar:gauge:n`, shows: () => VALUE },
  "explorer of an older version": { path: () => `${TABLE}?version=1`, shows: () => "This is an older version" },
  row: { path: () => `${TABLE}/rows/1`, shows: () => VALUE },
  versions: { path: () => `${FOLDER}/versions`, shows: () => versions[0] },
  comparison: { path: () => `${FOLDER}/versions?table=rows&from=1&to=2`, shows: () => "Lower Mill" },
  version: { path: () => `${FOLDER}/versions/${versions[0]}`, shows: () => versions[0] },
  download: { path: () => `${TABLE}/download`, shows: () => versions[1] },
};

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "": {},
  " as a link that is followed": { rsc: "1" },
  " as a prefetch": { rsc: "1", "next-router-prefetch": "1" },
  " as a program": { "user-agent": "Googlebot" },
};

async function read(path: string, reader: Person | undefined, headers: Readonly<Record<string, string>>) {
  const cookie = reader && { cookie: reader.cookie };
  const reply = await fetch(`${owner.base}${path}`, { redirect: "manual", headers: { ...headers, ...cookie } });
  const text = (await reply.text()).replaceAll("<!-- -->", "");
  return { status: reply.status, caching: reply.headers.get("cache-control"), text };
}

for (const [name, { path, shows }] of Object.entries(PAGES)) {
  test(`${name}: read by the workspace's members and by nobody else, from no cache`, async () => {
    for (const reader of [owner, member]) {
      const page = await read(path(), reader, {});
      expect([page.status, page.caching], reader.email).toEqual([200, "no-store"]);
      const shown = [TITLE, "Private to Gauge Office", shows()];
      expect(shown.filter((words) => !page.text.includes(words))).toEqual([]);
    }
    for (const [how, headers] of Object.entries(HEADERS)) {
      await read(path(), owner, headers);
      for (const reader of [undefined, stranger]) {
        const page = await read(path(), reader, headers);
        const when = `${reader?.email ?? "anonymous"}${how}`;
        if (headers.rsc === undefined) expect([page.status, page.caching], when).toEqual([404, "no-store"]);
        const hidden = [TITLE, VALUE, "Lower Mill", "Gauge Office", ...versions].filter(
          (word) => !path().includes(word),
        );
        expect(
          hidden.filter((words) => page.text.includes(words)),
          when,
        ).toEqual([]);
      }
    }
  });
}

test("documents and frames of a private dataset are not found, even for its owner", async () => {
  const own = ["cite.bib", "versions.atom", "llms.txt", "card.png"].map((name) => `${FOLDER}/${name}`);
  for (const path of [...own, `/embed/${SLUG}/rows`, `/api/v2/public/datasets/${SLUG}`])
    expect([path, (await read(path, owner, {})).status]).toEqual([path, 404]);
});

const signedIn = async (browser: Browser): Promise<Page> => (await BrowserPerson.of(browser, member)).page;

test("a member explores, charts, compares and downloads as with a public dataset", async ({ browser }) => {
  const page = await signedIn(browser);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(FOLDER);
  await expect(page.getByText("Private to Gauge Office")).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await expectLinksWork(page);
  await page.getByRole("link", { name: "Explore the data" }).click();
  await expect(page.getByRole("grid")).toContainText("Upper Mill");
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.getByText("The members of Gauge Office can open it")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Embed" })).toHaveCount(0);
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.goto(`${TABLE}?group=gauge&agg=count::n&sort=gauge&chart=bar:gauge:n`);
  await expect(page.getByRole("region", { name: "Chart" })).toContainText("Lower Mill");
  await page.goto(`${TABLE}?filter=gauge:contains:Mill`);
  await expect(page.getByText("2 of 3 rows match")).toBeVisible();
  expect(requests.filter((path) => path.startsWith("/api/public/") || path.startsWith("/api/v2/"))).toEqual([]);

  await page.goto(`${FOLDER}/versions`);
  await page.getByRole("link", { name: "What changed" }).click();
  await expect(page.getByRole("main")).toContainText("Lower Mill");
  await expectAccessibleStructure(page);
  await expectLinksWork(page);

  await page.goto(`${TABLE}/download`);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "CSV", exact: true }).click(),
  ]);
  expect(readFileSync(await file.path(), "utf8")).toBe(`id,gauge\r\n1,${VALUE}\r\n2,Lower Mill\r\n3,Upper Mill\r\n`);
});

/** Every link of a page to this dataset leads somewhere for the member. */
async function expectLinksWork(page: Page): Promise<void> {
  const hrefs = await page
    .getByRole("main")
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => new URL(link.getAttribute("href") ?? "", link.baseURI).href));
  const own = [...new Set(hrefs)].filter((href) => href.includes(FOLDER) || href.includes("/api/"));
  expect(own.length).toBeGreaterThan(3);
  for (const href of own)
    expect([href, (await read(href.slice(owner.base.length), member, {})).status]).toEqual([href, 200]);
}

test("a member finds it in the directory by its words and values, and nobody else does", async ({ browser }) => {
  const page = await signedIn(browser);
  const own = page.getByRole("region", { name: "Private datasets" });
  for (const words of ["levels own", "Kwqzz", ""]) {
    await page.goto(`/datasets?q=${encodeURIComponent(words)}`);
    await expect(own).toContainText("Private to Gauge Office");
    await expect(own.getByRole("link", { name: TITLE })).toHaveAttribute("href", FOLDER);
  }
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.goto("/datasets?q=zzxqvw");
  await expect(page.getByText("No datasets match.")).toBeVisible();
  await expect(own).toHaveCount(0);
  const { json } = await member.call("GET", "/api/account");
  const workspace = json.workspaces.find(({ name }: { name: string }) => name === "Gauge Office").id;
  const path = `/api/account/workspaces/${workspace}/private-datasets`;
  expect((await member.call("GET", path)).json).toMatchObject({ total: 1, datasets: [{ slug: SLUG }] });
  expect((await stranger.call("GET", path)).status).toBe(404);
  expect((await new Person(newEmail("nobody")).call("GET", path)).status).toBe(401);
});

test("without JavaScript, a member reads rows, chart and comparison", async ({ browser }) => {
  const { page } = await BrowserPerson.arrive(browser, "", { javaScriptEnabled: false });
  await page.context().addCookies(member.browserCookies);
  await page.goto(`${TABLE}?group=gauge&agg=count::n&chart=bar:gauge:n`);
  const still = page.locator("noscript .chart"); // locators by text and role ignore noscript
  await expect(still.locator("svg[aria-label^='Bar chart']")).toBeVisible();
  await still.locator("summary").click();
  await expect(still.locator("td").filter({ hasText: "Lower Mill" })).toBeVisible();
  await page.goto(`${FOLDER}/versions?table=rows&from=1&to=2`);
  await expect(page.getByRole("main")).toContainText("Upper Mill");
});

test("once the session has ended it is not found; once it is public, it is everyone's", async () => {
  const person = await new Person(member.email, member).signIn();
  expect((await read(FOLDER, person, {})).status).toBe(200);
  const { cookie } = person;
  const { json } = await person.call("GET", "/api/auth/csrf");
  await person.call("POST", "/api/auth/signout", new URLSearchParams({ csrfToken: json.csrfToken }));
  const reply = await fetch(`${owner.base}${FOLDER}`, { headers: { cookie } });
  expect(reply.status).toBe(404);
  await setVisibility(SLUG, "public");
  const page = await read(FOLDER, undefined, {});
  expect([page.status, page.caching]).toEqual([200, "public, max-age=0, s-maxage=60, must-revalidate"]);
  expect(page.text).not.toContain("Private to");
});
