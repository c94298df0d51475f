import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { tableOf } from "./catalogue";
import { HANDS } from "./hands";
import { otherSite } from "./other-site";
import { test } from "./test";

const chartHeading = (page: Page) => page.locator("figcaption.chart-heading"); // not that of the room kept for it
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

const chosen = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });

/** Stored in Playwright's output, for people to look at. */
const keepPicture = (page: Page, name: string) =>
  page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true });

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

/** The hands that each path is done by in the ordinary tests; `npm run trial -- everyday-paths` does all by all. */
const BY = { csv: "desktop, mouse", months: "desktop, keyboard", curve: "phone, keyboard", map: "phone, finger" };

for (const hands of HANDS)
  test.describe(hands.name, () => {
    const { press, write, choose } = hands;
    const by = (path: keyof typeof BY) => (process.env.EVERY_HANDS || BY[path] === hands.name ? test : () => undefined);

    by("csv")(
      "all earthquakes as CSV on disk, from the home page, signing up on the way",
      async ({ browser, request }) => {
        const person = await BrowserPerson.arrive(browser, "csv", hands.device);
        const { page } = person;
        await page.goto("/");
        await write(page.getByRole("main").getByRole("combobox"), "earthquakes");
        await page.keyboard.press("Enter");
        await press(link(page, "Earthquakes, a week in 2018"));
        await press(link(page, "Download"));
        await write(page.getByLabel("Email"), person.email);
        await write(person.passwordField, person.password);
        await page.keyboard.press("Enter");
        await expect(page.getByRole("heading", { level: 1, name: /^Download/ })).toBeVisible();
        await keepPicture(page, "download");
        await expectAccessible(page);
        const { name, text } = await saved(page, () => press(link(page, "CSV")));
        expect(name).toMatch(/^earthquakes-2018-.*\.csv$/);
        const { tableId } = await tableOf(request, "earthquakes-2018");
        const schema = (await (await request.get(`/api/v2/public/tables/${tableId}/schema`)).json()) as Schema;
        const lines = text.split("\r\n");
        expect(lines[0]).toBe(schema.columns.map((column) => column.name).join(","));
        expect(lines).toHaveLength(1707 + 2); // a header, and nothing after the last line's end
      },
    );

    by("months")("flights per month as a chart with its own title, saved with its citation", async ({ browser }) => {
      const { page } = await BrowserPerson.arrive(browser, "per month", hands.device);
      await page.goto("/datasets/us-flights-2001");
      await press(link(page, "Explore the data"));
      await press(button(page, "Chart"));
      await choose(chosen(page, "Chart"), "line");
      await choose(chosen(page, "Y axis"), "number of rows");
      await choose(chosen(page, "Per"), "month");
      await press(page.locator("summary", { hasText: "Title, axes and note" }));
      await write(page.getByRole("textbox", { name: "Title" }), "Flights before September");
      await page.keyboard.press("Enter");
      await expect(chartHeading(page)).toHaveText("Flights before September All 3,000,000 rows, counted per month");
      await keepPicture(page, "per-month");
      const svg = await saved(page, () => press(button(page, "SVG")));
      for (const text of ["Flights before September", "All 3,000,000 rows, counted per month", "sha256:", "Version "])
        expect(svg.text).toContain(text);
      const csv = await saved(page, () => press(button(page, "CSV")));
      const lines = csv.text.split("\r\n");
      const end = lines.indexOf("");
      expect(lines[0]).toBe("date,rows");
      expect(lines.slice(1, end).reduce((sum, line) => sum + Number(line.split(",")[1]), 0)).toBe(3_000_000);
      expect(lines[end + 1]).toBe('"Flights before September"');
      expect(lines.slice(end).join()).toContain("sha256:");
    });

    by("curve")("the complete CO2 curve in another site's page, which sets no cookie", async ({ browser, baseURL }) => {
      const { page, context } = await BrowserPerson.arrive(browser, "curve", hands.device);
      await page.goto("/datasets/mauna-loa-co2");
      await press(link(page, "Explore the data"));
      await press(button(page, "Chart"));
      await expect(chartHeading(page)).toHaveText("CO2 (ppm) by Date All 741 rows");
      await press(button(page, "Embed"));
      const dialog = page.getByRole("dialog", { name: "Embed this view" });
      await choose(dialog.getByRole("combobox", { name: "Theme" }), "dark");
      await write(dialog.getByRole("textbox", { name: "Title" }), "Carbon dioxide");
      await write(dialog.getByRole("textbox", { name: "Caption" }), "At Mauna Loa, by month");
      await keepPicture(page, "embed");
      const html = await dialog.getByRole("textbox", { name: "HTML" }).inputValue();
      expect(html).toContain(`src="${baseURL}/embed/mauna-loa-co2/monthly?chart=auto::&amp;title=Carbon+dioxide`);
      await context.clearCookies();
      const site = await otherSite();
      await page.goto(site.url(html));
      const frame = page.frameLocator("iframe");
      await expect(frame.locator("html")).toHaveAttribute("data-theme", "dark");
      await expect(frame.getByRole("heading", { level: 1 })).toHaveText("Carbon dioxide");
      await expect(frame.getByText("All 741 rows")).toBeVisible();
      await expect(frame.getByText("At Mauna Loa, by month")).toBeVisible();
      const curve = frame.getByRole("img", { name: "Line chart: CO2 (ppm) by Date" }).filter({ visible: true });
      await expect(curve).toHaveCount(1); // one of five widths, once its styles are there
      await expect(frame.getByRole("contentinfo")).toContainText("sha256:");
      await keepPicture(page, "framed");
      expect(await context.cookies()).toEqual([]);
      site.close();
    });

    by("map")(
      "California's earthquakes on a map, brushed, and opened by its short link without an account",
      async ({ browser }) => {
        const { page } = await BrowserPerson.signedIn(browser, "maps", hands.device);
        await page.goto("/datasets/earthquakes-2018/events");
        await write(page.getByRole("searchbox", { name: "Find in rows" }), "california");
        await page.keyboard.press("Enter");
        await press(button(page, "Map"));
        await expect(chartHeading(page)).toHaveText("Places All 78 matching rows");
        await expect(page.locator(".map-land")).toHaveAttribute("d", /^M.{1000}/);
        await expect(page.getByText("78 of 1,707 rows match", { exact: true })).toBeVisible();
        await expectAccessible(page, { within: ".explorer-chart" });
        await hands.brush(page.getByRole("slider", { name: /^Map: Places/ }));
        await expect(page).toHaveURL(/filter=longitude:between:.*&filter=latitude:between:/);
        await expect(chartHeading(page)).toHaveText(/^Places All (?!78 )\d+ matching rows$/);
        const svg = await saved(page, () => press(button(page, "SVG")));
        expect(svg.text).toContain("sha256:");
        expect(svg.text.match(/<path/g)?.length).toBeGreaterThan(3); // land and borders
        await keepPicture(page, "map");
        await press(button(page, "Share"));
        const dialog = page.getByRole("dialog", { name: "Share this view" });
        await write(dialog.getByRole("textbox", { name: "Title" }), "Shaken in 2018");
        await press(dialog.getByRole("button", { name: "Create short link" }));
        const short = await dialog.getByRole("textbox", { name: "Short link", exact: true }).inputValue();
        expect(short).toMatch(/\/v\/[0-9A-Za-z]{10}$/);

        const reader = await BrowserPerson.arrive(browser, "reader", { viewport: { width: 320, height: 700 } });
        await reader.page.goto(short);
        await expect(chartHeading(reader.page)).toHaveText(/^Shaken in 2018 All (?!78 )\d+ matching rows$/);
        expect(new URL(reader.page.url()).search).toContain("filter=longitude:between:");
        await keepPicture(reader.page, "reader");
        expect(await reader.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      },
    );
  });

test.describe("without script", () => {
  test("a URL with a format starts the download: a table, or what differs between versions", async ({
    browser,
    request,
  }) => {
    const { page } = await BrowserPerson.signedIn(browser, "parquet", { javaScriptEnabled: false });
    const download = page.waitForEvent("download");
    // the navigation becomes the file
    await page.goto("/datasets/mauna-loa-co2/monthly/download?format=parquet").catch(() => undefined);
    expect((await download).suggestedFilename()).toMatch(/\.parquet$/);
    expect(readFileSync(await (await download).path(), "latin1").slice(0, 4)).toBe("PAR1");

    await page.goto("/datasets/mauna-loa-co2");
    await page.getByRole("link", { name: "the dataset as a .zip" }).click();
    const archive = page.waitForEvent("download");
    await page.getByRole("link", { name: ".zip of CSV" }).click();
    expect((await archive).suggestedFilename()).toMatch(/^mauna-loa-co2-.*-csv\.zip$/);
    expect(readFileSync(await (await archive).path(), "latin1")).toContain("mauna-loa-co2/data/monthly.csv");

    const { tableId } = await tableOf(request, "mime-types", "types");
    const { versions } = await (await request.get(`/api/v2/public/tables/${tableId}/versions`)).json();
    await page.goto(`/datasets/mime-types/versions/${versions[1].version_id}`);
    await page.getByRole("link", { name: "Download", exact: true }).click();
    const older = page.waitForEvent("download");
    await page.getByRole("link", { name: /^Parquet,/ }).click();
    expect((await older).suggestedFilename()).toContain(versions[1].version_id.slice(0, 8));
    const sides = new URLSearchParams({ from: versions[1].version_id, to: versions[0].version_id });
    await page.goto(`/datasets/mime-types/versions?table=types&${sides}`);
    const difference = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV of every row that differs" }).click();
    const [head, first] = readFileSync(await (await difference).path(), "utf8").split("\r\n");
    expect([head?.split(",").slice(0, 3), first?.split(",")[0]]).toEqual([
      ["change", "changed_columns", "mime_type"],
      "changed_from",
    ]);
  });
});

interface Schema {
  columns: { name: string }[];
}
