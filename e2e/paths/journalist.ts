import { expect } from "@playwright/test";
import { BrowserPerson } from "../browser-person";
import { otherSite } from "../other-site";
import type { Path, Visit } from "./visit";

const chartHeading = ({ page }: Visit) => page.locator("figcaption.chart-heading"); // not that of the room kept for it
const combobox = ({ page }: Visit, name: string) => page.getByRole("combobox", { name, exact: true });
const textbox = ({ page }: Visit, name: string) => page.getByRole("textbox", { name, exact: true });

/** Somebody with a deadline who has never been here. */
export const JOURNALIST: Path = {
  person: "journalist",
  tasks: [
    {
      wish: "Find a dataset on carbon dioxide in the air.",
      isScriptless: true,
      isSeed: true,
      steps: [
        ["open the home page", (visit) => visit.open("/")],
        [
          "search for “carbon dioxide”",
          async (visit) => {
            const main = visit.page.getByRole("main");
            await visit.write(main.locator("input[name=q]").first(), "carbon dioxide");
            await visit.enter();
          },
        ],
        ["open the first result that fits", (visit) => visit.link("Mauna Loa CO2")],
        ["read how many rows it has", async (visit) => visit.says(`${(await visit.table("mauna-loa-co2")).rows} rows`)],
      ],
    },
    {
      wish: "Name the strongest earthquake of the week, with the version that says so.",
      isScriptless: true,
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/earthquakes-2018")],
        ["explore it", (visit) => visit.link("Explore the data")],
        ["sort by magnitude", (visit) => visit.link("mag")],
        ["the strongest first", (visit) => visit.link("mag")],
        [
          "read the first row and the version",
          async (visit) => {
            const order_by = [{ column: "mag", direction: "desc" }];
            const [first] = await visit.query("earthquakes-2018", { columns: ["mag", "place"], order_by, limit: 1 });
            await expect(
              visit.page.locator("[data-cell^='0:']", { hasText: String(first?.place) }).first(),
            ).toBeVisible();
            await visit.says((await visit.table("earthquakes-2018")).version_id.slice(0, 8));
          },
        ],
      ],
    },
    {
      wish: "Save flights per month as a chart with a title of their own.",
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/us-flights-2001")],
        ["explore it", (visit) => visit.link("Explore the data")],
        ["open the chart", (visit) => visit.button("Chart")],
        ["draw a line", (visit) => visit.choose(combobox(visit, "Chart"), "line")],
        ["of the number of rows", (visit) => visit.choose(combobox(visit, "Y axis"), "number of rows")],
        ["per month", (visit) => visit.choose(combobox(visit, "Per"), "month")],
        ["open the texts of the chart", (visit) => visit.summary("Title, axes and note")],
        [
          "write a title",
          async (visit) => {
            await visit.write(textbox(visit, "Title"), "Flights before September");
            await visit.enter();
            const heading = "Flights before September All 3,000,000 rows, counted per month";
            await expect(chartHeading(visit)).toHaveText(heading);
          },
        ],
        [
          "save it as SVG, which names title, version and digest",
          async (visit) => {
            const { text } = await visit.saved(() => visit.button("SVG"));
            for (const part of ["Flights before September", "sha256:", "Version "]) expect(text).toContain(part);
          },
        ],
        [
          "save it as PNG",
          async (visit) => {
            const { bytes } = await visit.saved(() => visit.button("PNG"));
            expect(bytes.toString("latin1", 1, 4)).toBe("PNG");
            expect(bytes.readUInt32BE(16)).toBeGreaterThan(600);
          },
        ],
      ],
    },
    {
      wish: "Show California’s earthquakes on a map, as a link that a colleague can open.",
      steps: [
        ["open the earthquakes", (visit) => visit.open("/datasets/earthquakes-2018/events")],
        [
          "find California in the rows",
          async (visit) => {
            await visit.write(visit.page.getByRole("searchbox", { name: "Find in rows" }), "california");
            await visit.enter();
          },
        ],
        [
          "open the map",
          async (visit) => {
            await visit.button("Map");
            await expect(chartHeading(visit)).toHaveText("Places All 78 matching rows");
          },
        ],
        ["share it", (visit) => visit.button("Share")],
        [
          "read the address of the view",
          async (visit) => {
            const address = await visit.page.getByRole("dialog").getByRole("textbox").first().inputValue();
            expect(address).toContain("search=california");
            const colleague = await BrowserPerson.arrive(visit.browser, "colleague");
            await colleague.page.goto(address);
            await expect(colleague.page.locator("figcaption.chart-heading")).toHaveText("Places All 78 matching rows");
            await colleague.context.close();
          },
        ],
      ],
    },
    {
      wish: "Put the CO2 curve into an article on another site.",
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/mauna-loa-co2")],
        ["explore it", (visit) => visit.link("Explore the data")],
        ["open the chart", (visit) => visit.button("Chart")],
        ["press Embed", (visit) => visit.button("Embed")],
        ["give it a title", (visit) => visit.write(textbox(visit, "Title"), "Carbon dioxide")],
        [
          "paste the HTML into the article",
          async (visit) => {
            const html = await visit.page.getByRole("dialog").getByRole("textbox", { name: "HTML" }).inputValue();
            const site = await otherSite();
            await visit.open(site.url(html));
            const frame = visit.page.frameLocator("iframe");
            await expect(frame.getByRole("heading", { level: 1 })).toHaveText("Carbon dioxide");
            await expect(frame.getByText(`All ${(await visit.table("mauna-loa-co2")).rows} rows`)).toBeVisible();
            site.close();
          },
        ],
      ],
    },
    {
      wish: "See what the newest release of the media types changed.",
      isScriptless: true,
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/mime-types")],
        ["open its history", (visit) => visit.link(/^List and compare all/)],
        ["ask what the newest version changed", (visit) => visit.link(/^What changed/)],
        [
          "read how many rows were added",
          async (visit) => {
            const { tableId } = await visit.table("mime-types");
            const [to, from] = await visit.versions("mime-types");
            const sides = `from=${from?.version_id}&to=${to?.version_id}`;
            const { rows } = await visit.json(`/api/v2/public/tables/${tableId}/versions/compare?${sides}`);
            const figures = visit.page.getByRole("list", { name: "Rows", exact: true });
            await expect(figures).toContainText(`${rows.added.toLocaleString("en-US")} added`);
          },
        ],
      ],
    },
    {
      wish: "Have all earthquakes as a CSV file, signing up on the way.",
      isSeed: true,
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/earthquakes-2018")],
        ["press Download", (visit) => visit.link("Download")],
        ["write an email address", (visit) => visit.write(visit.page.getByLabel("Email"), visit.person.email)],
        [
          "write a password",
          async (visit) => {
            await visit.write(visit.person.passwordField, visit.person.password);
            await visit.enter();
            await visit.heading(/^Download/);
          },
        ],
        [
          "save the CSV file, which has every row",
          async (visit) => {
            const { text } = await visit.saved(() => visit.link("CSV"));
            expect(text.trimEnd().split("\r\n")).toHaveLength((await visit.table("earthquakes-2018")).rows + 1);
          },
        ],
      ],
    },
    {
      wish: "Have all rows about California as a CSV file, not the first ones alone.",
      steps: [
        ["open the earthquakes", (visit) => visit.open("/datasets/earthquakes-2018/events")],
        [
          "find California in the rows",
          async (visit) => {
            await visit.write(visit.page.getByRole("searchbox", { name: "Find in rows" }), "california");
            await visit.enter();
            await expect(visit.page.getByText("78 of 1,707 rows match", { exact: true })).toBeVisible();
          },
        ],
        ["open Download", (visit) => visit.summary("Download")],
        [
          "save all matching rows",
          async (visit) => {
            const all = visit.page.getByRole("group", { name: "All 78 rows of this view" });
            const { text } = await visit.saved(() => visit.button("CSV", all));
            const lines = text.trimEnd().split("\r\n");
            expect(lines).toHaveLength(78 + 1);
            expect(lines.slice(1).every((line) => /california/i.test(line))).toBe(true);
          },
        ],
      ],
    },
    {
      wish: "Be told when the carbon dioxide has a new release.",
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/mauna-loa-co2")],
        ["press Watch", (visit) => visit.link("Watch")],
        [
          "write where to",
          (visit) =>
            visit.write(
              visit.page.locator("details[open]").getByLabel("URL", { exact: true }),
              "https://hooks.invalid/co2",
            ),
        ],
        ["add it", (visit) => visit.button("Add webhook")],
        [
          "read that it is watched",
          (visit) =>
            expect(visit.page.getByRole("listitem").filter({ hasText: "https://hooks.invalid/co2" })).toContainText(
              "mauna-loa-co2",
            ),
        ],
      ],
    },
  ],
};
