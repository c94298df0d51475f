import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { restingBox } from "./hands";
import { held } from "./held-requests";
import { expectLive, isLive } from "./live";
import { test } from "./test";

const BARS = "/datasets/us-flights-2001/flights?group=origin&agg=count::flights&sort=-flights&limit=10&chart=auto::";
const LINES = "/datasets/daily-weather/days?columns=date,temp_max,location&sort=date&chart=line:date:temp_max:location";

async function saved(page: Page, form: "SVG" | "PNG"): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: form, exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${form.toLowerCase()}$`));
  return readFileSync(await download.path());
}

/** How much of the table a chart shows. Until it has arrived, a hidden copy of the server's is in the page as well. */
const extentOf = (page: Page) => page.getByRole("region", { name: "Chart" }).locator(".chart-extent");

test("a grouped result is drawn as bars, read by keyboard with its exact values", async ({ page }) => {
  await page.goto(BARS);
  const chart = page.getByRole("slider", { name: /^Bar chart: flights by origin/ });
  await chart.focus();
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuetext", /^ORD, flights: \d{3},\d{3}$/);
  await page.keyboard.press("ArrowDown");
  await expect(chart).toHaveAttribute("aria-valuenow", "2");
  await expectAccessible(page, { within: ".explorer-chart" });
});

const CO2 = "/datasets/mauna-loa-co2/monthly?chart=line:Date:CO2";

test("a line has every row of its table, is zoomed by keyboard and by dragging, and Back shows everything", async ({
  page,
}) => {
  await page.goto(CO2);
  const chart = page.getByRole("slider", { name: /^Line chart: CO2/ });
  await expect(extentOf(page)).toHaveText("All 741 rows");
  await chart.focus();
  await page.keyboard.press("End");
  await expect(chart).toHaveAttribute("aria-valuetext", /^2020-/);
  await page.keyboard.press("Shift+PageUp");
  await page.keyboard.press("Shift+PageUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/filter=Date:between:20/);
  await expect(extentOf(page)).toHaveText(/^All 2\d matching rows$/);
  await page.getByRole("button", { name: "Show full range" }).click();
  await expect(extentOf(page)).toHaveText("All 741 rows");
  const box = await restingBox(chart);
  await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 120, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/filter=Date:between:19\d\d-/);
  await page.goBack();
  await expect(extentOf(page)).toHaveText("All 741 rows");
});

const QUAKES = "/datasets/earthquakes-2018/events?chart=map:longitude:latitude:mag";

test("every place is on a map coloured by a number, the strongest on top, and in the saved picture", async ({
  page,
}) => {
  await page.goto(QUAKES);
  const map = page.getByRole("slider", { name: /^Map: Places, coloured by mag/ });
  await expect(map).toHaveAttribute("aria-valuemax", "1707");
  await map.focus();
  await page.keyboard.press("End");
  await expect(map).toHaveAttribute("aria-valuetext", /mag: 6\.4$/);
  await expect(page.getByRole("img", { name: /^Colours of mag, 0 to 6/ })).toBeVisible();
  // what is drawn: a dot for each place
  const drawn = () =>
    map
      .locator(".chart-svg path")
      .evaluateAll((paths) =>
        paths.reduce((sum, path) => sum + (path.getAttribute("d")?.match(/h0/g)?.length ?? 0), 0),
      );
  expect(await drawn()).toBe(1707);
  const svg = (await saved(page, "SVG")).toString();
  const dots = [...svg.matchAll(/ d="([^"]*)"/g)].flatMap(([, path = ""]) => path.match(/h0/g) ?? []);
  expect(dots).toHaveLength(1707);
  expect(svg).toContain(">mag</text>");
  expect(svg).toMatch(/All 1,707 rows/);
  await expectAccessible(page, { within: ".explorer-chart" });
});

test("points are also sized by a number, and no kind of them is left out", async ({ page }) => {
  await page.goto("/datasets/earthquakes-2018/events?chart=map:longitude:latitude:net:::mag");
  await expect(page.getByRole("slider", { name: /^Map: Places, for each net, sized by mag/ })).toHaveAttribute(
    "aria-valuemax",
    "1707",
  );
  await expect(page.locator(".chart-legend")).toContainText(["4 other values", "mag"]);
  await expect(page.getByRole("combobox", { name: "Size" })).toHaveValue("mag");
});

test("the fields of a chart are on one line beside their names, which no field covers or wraps", async ({ page }) => {
  await page.goto(
    "/datasets/palmer-penguins/penguins" + "?chart=scatter:Flipper+Length+(mm):Beak+Length+(mm):Body+Mass+(g)",
  );
  const fields = page.locator(".chart-choices > label");
  await expect(fields).toHaveCount(6);
  for (const width of [1280, 700]) {
    await page.setViewportSize({ width, height: 900 });
    const boxes = await fields.evaluateAll((labels) =>
      labels.map((label) => ({
        isWhole: label.scrollWidth <= label.clientWidth,
        isOneLine: label.clientHeight === label.querySelector("select")?.offsetHeight,
      })),
    );
    expect(boxes).toEqual(boxes.map(() => ({ isWhole: true, isOneLine: true })));
  }
});

test("a chart of some kinds names how many in its title, its picture and its values", async ({ page }) => {
  await page.goto("/datasets/us-flights-2001/flights?chart=line:date::origin::month");
  await expect(extentOf(page)).toHaveText("8 of 229 values of origin, counted per month");
  expect((await saved(page, "SVG")).toString()).toContain("8 of 229 values of origin");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  expect(readFileSync(await download.path(), "utf8")).toContain("8 of 229 values of origin");
});

test("a title that was typed and not submitted is in the saved picture, whose source is the view", async ({ page }) => {
  await page.goto(
    "/datasets/palmer-penguins/penguins?group=Species&agg=avg:Body+Mass+(g):avg_Body_Mass_g&chart=auto::",
  );
  await expect(page.getByRole("slider", { name: /^Bar chart: Average of Body Mass \(g\) by Species/ })).toBeVisible();
  await expect(page.locator(".explorer-sentence")).not.toContainText("the first");
  await page.locator("summary", { hasText: "Title, axes and note" }).click();
  await page.getByRole("textbox", { name: "Y axis label" }).fill("Weight");
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("Heavy birds");
  const svg = (await saved(page, "SVG")).toString();
  expect(svg).toContain(">Heavy birds</text>");
  expect(svg).toContain(">Weight</text>");
  expect(svg.replaceAll(/<[^>]+>/g, "")).toContain("/datasets/palmer-penguins/penguins?group=Species");
  await expect(page).toHaveURL(/title=Heavy\+birds.*ylabel=Weight/);
});

test("months and weekdays have names, and two places are not one zigzag", async ({ page }) => {
  await page.goto(
    "/datasets/daily-weather/days?group=date:month_of_year:month&agg=avg:temp_max:warmth&sort=month&chart=bar:month:warmth",
  );
  await expect(page.getByRole("slider", { name: /^Bar chart/ })).toHaveAttribute("aria-valuetext", /^January, /);
  await page.goto("/datasets/daily-weather/days?chart=line:date:temp_max");
  await expect(extentOf(page)).toHaveText("All 2,922 rows, average temp_max per week (from Monday)");
});

for (const [slug, table, chart] of [
  ["us-flights-2001", "flights", /^Line chart: Number of rows by date/],
  ["browser-compatibility", "support", /^Bar chart: Number of rows by category/],
  ["browser-compatibility", "features", /^Bar chart: Number of rows by category/],
  ["browser-compatibility", "releases", /^Line chart: Number of rows by release_date/],
  ["mime-types", "types", /^Bar chart: Number of rows by top_level_type/],
  ["language-subtags", "subtags", /^Bar chart: Number of rows by type/],
  ["nodejs-releases", "releases", /^Bar chart: Number of rows by release_date/],
  ["spdx-licenses", "licenses", /^Bar chart: Number of rows by is_osi_approved/],
  ["earthquakes-2018", "events", /^Map: Places, coloured by mag/],
  ["mauna-loa-co2", "monthly", /^Line chart: CO2 \(ppm\) by Date/],
  ["daily-weather", "days", /^Line chart: temp_max \(°C\) by date, for each location/],
  ["us-zip-codes", "zip-codes", /^Map: Places/],
  ["bird-strikes", "strikes", /^Line chart: Number of rows by Flight Date/],
  ["palmer-penguins", "penguins", /^Scatter plot: Beak Depth \(mm\) by Beak Length \(mm\), for each Species/],
] as const)
  test(`the first chart of ${slug}/${table} is worth looking at`, async ({ page }) => {
    await page.goto(`/datasets/${slug}/${table}?chart=auto::`);
    await expect(page.getByRole("slider", { name: chart })).toBeVisible();
  });

test("on a phone, a chart begins on the first screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(CO2);
  const { y } = await restingBox(page.getByRole("slider", { name: /^Line chart: CO2/ }));
  expect(y).toBeLessThan(480);
});

test("the values of several lines at one time are shown together, under the pointer", async ({ page }) => {
  await page.goto(LINES);
  const chart = page.getByRole("slider", { name: /^Line chart/ });
  await chart.hover({ position: { x: 300, y: 150 } });
  const tip = page.locator(".chart-tip");
  await expect(tip).toContainText(/\d{4}-\d{2}-\d{2}/);
  await expect(tip).toContainText("Seattle");
  await expect(tip).toContainText("New York");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`a chart is saved as self-contained SVG and PNG, as it is seen, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(LINES);
    const svg = (await saved(page, "SVG")).toString();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).not.toMatch(/var\(|class=|light-dark|href=|<script/);
    expect(svg).toContain("sha256:");
    expect(svg).toMatch(/All 2,922 rows/);
    expect(svg).toContain(colorScheme === "light" ? 'fill="rgb(255, 255, 255)"' : 'fill="rgb(14, 20, 18)"');
    // the policy of our own pages rejects the style in the files that they parse
    const elsewhere = await page.context().newPage();
    const parsed = await elsewhere.evaluate(
      (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror, path").length,
      svg,
    );
    expect(parsed).toBeGreaterThan(2);
    const png = await saved(page, "PNG");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.readUInt32BE(16)).toBe(2 * Number(/width="(\d+)"/.exec(svg)?.[1]));
    expect(png.byteLength).toBeGreaterThan(10_000);
  });
}

test("choices in quick succession are all applied, and a title can be typed while the chart loads its rows", async ({
  page,
}) => {
  await page.goto(CO2);
  await expect(extentOf(page)).toHaveText("All 741 rows");
  await expectLive(page.getByRole("combobox", { name: "Y axis" }));
  const rows = await held(page, "**/api/public/tables/*/chart");
  await page.locator(".chart-choices").evaluate((choices) => {
    for (const [label, option] of [
      ["Y axis", "number of rows"],
      ["Per", "year"],
    ] as const) {
      const select = [...choices.querySelectorAll("label")].find((one) => one.textContent.startsWith(label))?.control;
      if (!(select instanceof HTMLSelectElement)) throw new Error(`no ${label}`);
      select.selectedIndex = [...select.options].findIndex(({ label }) => label === option);
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
  await page.locator("summary", { hasText: "Title, axes and note" }).click();
  await page.keyboard.press("Tab");
  await page.keyboard.type("Readings a year");
  await page.keyboard.press("Enter");
  await expect(page.locator(".chart-drawn")).toHaveAttribute("aria-busy", "true");
  await rows.release();
  await expect(page.locator(".chart-heading")).toHaveText("Readings a year All 741 rows, counted per year");
  await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
});

for (const live of ["nothing of the page", "the page but not the chart"] as const) {
  test(`a chart is saved when the click comes while ${live} is live`, async ({ page }) => {
    const released = Promise.withResolvers<void>();
    await page.route(/_next\/static\/.*\.js/, async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      if (live === "nothing of the page" || body.includes("Save the chart as")) await released.promise;
      await route.fulfill({ response, body });
    });
    await page.goto(LINES, { waitUntil: "commit" });
    if (live !== "nothing of the page") await expectLive(page.getByRole("button", { name: /^Theme: / }));
    const svg = page.getByRole("button", { name: "SVG", exact: true });
    await svg.click();
    expect(await isLive(svg)).toBe(false);
    const downloads = page.waitForEvent("download");
    released.resolve();
    expect(readFileSync(await (await downloads).path(), "utf8")).toContain("All 2,922 rows");
  });
}

test("a range selected in a histogram by keyboard is in the URL, and can be removed", async ({ page }) => {
  await page.goto("/datasets/us-flights-2001/flights");
  await page.getByRole("button", { name: "About distance" }).click();
  const low = page.getByRole("slider", { name: "Lower end of distance" });
  await low.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/filter=distance:between:\d+,\d+/);
  await expect(low).toHaveAttribute("aria-valuenow", "2");
  await page.getByRole("button", { name: "All", exact: true }).click();
  await expect(page).not.toHaveURL(/filter=/);
});

test("a group in a chart leads to its rows, by pointer and by keyboard, and Back leads to the chart", async ({
  page,
}) => {
  await page.goto(
    "/datasets/us-flights-2001/flights?group=origin&agg=count::flights&sort=-flights&limit=5&chart=bar:origin:flights",
  );
  const chart = page.getByRole("slider", { name: /Enter shows the rows behind one/ });
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  const [origin] = ((await chart.getAttribute("aria-valuetext")) ?? "").split(",");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/flights\\?filter=origin:eq:${origin}$`));
  await page.goBack();
  const box = await restingBox(chart);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page).toHaveURL(/\/flights\?filter=origin:eq:[A-Z]{3}$/);
  await page.goBack();
  await page.getByRole("gridcell").first().click();
  await page.getByRole("button", { name: "Rows of this group" }).click();
  await expect(page).toHaveURL(/\/flights\?filter=origin:eq:[A-Z]{3}$/);
});

test("a range is selected in a histogram by dragging, and a click selects one bar", async ({ page }) => {
  await page.goto("/datasets/us-flights-2001/flights");
  await page.getByRole("button", { name: "About distance" }).click();
  const plot = page.locator(".brush-plot");
  const box = await restingBox(plot);
  await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/filter=distance:between:\d+,\d+/);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });
  test("the chart of a view is drawn from all of its rows, with its values as a table", async ({ page }) => {
    await page.goto(`${CO2}&title=The+Keeling+curve`);
    const still = page.locator("noscript .chart"); // locators by text and role ignore noscript
    await expect(still.locator(".chart-heading")).toContainText("The Keeling curve");
    await expect(still.locator(".chart-heading")).toContainText("All 741 rows");
    await expect(still.locator("svg[aria-label^='Line chart: CO2']")).toBeVisible();
    await still.locator("summary").click();
    await expect(still.locator("td").filter({ hasText: "315.70" }).first()).toBeVisible();
  });

  test("each bar and value of a dataset's page leads to its rows", async ({ page }) => {
    await page.goto("/datasets/us-flights-2001");
    const columns = page.getByRole("list", { name: /^Columns of/ });
    await expect(
      columns
        .getByRole("group", { name: /^Histogram of distance/ })
        .locator("a")
        .first(),
    ).toHaveAttribute("href", /\/flights\?filter=distance:between:/);
    await columns.getByRole("link", { name: /^ORD/ }).first().click();
    await expect(page).toHaveURL(/\/datasets\/us-flights-2001\/flights\?filter=origin:eq:ORD/);
  });
});
