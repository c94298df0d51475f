import { createHash } from "node:crypto";
import { expect } from "@playwright/test";
import { parquetMetadata } from "hyparquet";
import { FLIGHTS } from "../explorer-page";
import type { Path, Visit } from "./visit";

const OLDER = "1.50.0";

async function expectOlder(visit: Visit): Promise<void> {
  const older = (await visit.versions("mime-types")).find(({ label }) => label === OLDER);
  await visit.says(`${older?.rows.toLocaleString("en-US")} rows`);
  await visit.says("This is an older version");
  await expect(visit.page.locator(".answer-facts")).toContainText(older?.version_id.slice(0, 8) ?? "");
}

/** Somebody who must be able to say next year exactly what they read. */
export const RESEARCHER: Path = {
  person: "researcher",
  isSignedIn: true,
  tasks: [
    {
      wish: "Learn what a column means, in which unit, and how complete it is.",
      isScriptless: true,
      steps: [
        ["open the table", (visit) => visit.open("/datasets/mauna-loa-co2/monthly")],
        ["ask for its columns", (visit) => visit.link("3 columns")],
        [
          "read the column",
          async (visit) => {
            const { tableId } = await visit.table("mauna-loa-co2");
            const { columns } = await visit.json(`/api/v2/public/tables/${tableId}/schema`);
            const column = columns.find(({ name }: { name: string }) => name === "CO2");
            const listed = visit.page.getByRole("list", { name: "Columns of Monthly means" }).getByRole("listitem");
            const item = listed.filter({ has: visit.page.getByRole("heading", { name: "CO2", exact: true }) });
            await expect(item).toContainText(`decimal(5,2), ${column.unit}`);
            await expect(item).toContainText(column.description);
            await expect(item).toContainText("no nulls");
          },
        ],
      ],
    },
    {
      wish: "Learn where the figures come from and how they were built.",
      isScriptless: true,
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/mauna-loa-co2")],
        [
          "read the sources and their digests",
          async (visit) => {
            const { tableId } = await visit.table("mauna-loa-co2");
            const lineage = JSON.stringify(await visit.json(`/api/v2/public/tables/${tableId}/lineage`));
            const sources = visit.page.getByRole("region", { name: "How it was built" }).getByRole("table", {
              name: "Sources",
            });
            const [, digest = ""] = /sha256:([0-9a-f]{16})/.exec((await sources.textContent()) ?? "") ?? [];
            expect(digest).not.toBe("");
            expect(lineage).toContain(digest);
            await sources.scrollIntoViewIfNeeded();
          },
        ],
      ],
    },
    {
      wish: "Cite the version they read, for a bibliography.",
      isScriptless: true,
      isSeed: true,
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/mauna-loa-co2")],
        [
          "open the citation as BibTeX",
          async (visit) => {
            await visit.tab("BibTeX");
            const [current] = await visit.versions("mauna-loa-co2");
            const shown = visit.page.locator("pre", { hasText: "@misc{" });
            await expect(shown).toBeVisible();
            await expect(shown).toContainText(current?.version_id ?? "");
            await expect(shown).toContainText(current?.content_digest ?? "");
          },
        ],
        [
          "take it as CSL for a reference manager",
          async (visit) => {
            const link = visit.page.getByRole("link", { name: "mauna-loa-co2.json", exact: true });
            const [entry] = await visit.json((await link.getAttribute("href")) ?? "");
            expect(entry).toMatchObject({ type: "dataset", title: "Mauna Loa CO2" });
          },
        ],
      ],
    },
    {
      wish: "Read the table as an older release had it, by its label.",
      isScriptless: true,
      steps: [
        ["open the table", (visit) => visit.open("/datasets/mime-types/types")],
        ["open the versions", (visit) => visit.summary(/^Version/)],
        ["choose the label", (visit) => visit.link(new RegExp(`^${OLDER.replaceAll(".", "\\.")}`))],
        ["read that it is that one", expectOlder],
      ],
    },
    {
      wish: "Read the table as it was on a day.",
      isScriptless: true,
      steps: [
        ["open the table", (visit) => visit.open("/datasets/mime-types/types")],
        ["open the versions", (visit) => visit.summary(/^Version/)],
        ["write the day", (visit) => visit.writeDay(visit.page.getByLabel("As of"), "2021-10-01")],
        ["show it", (visit) => visit.button("Show")],
        ["read that it is the version of that day", expectOlder],
      ],
    },
    {
      wish: "Compare two releases and keep every row that differs.",
      steps: [
        ["open the history", (visit) => visit.open("/datasets/mime-types/versions")],
        ["ask what the newest version changed", (visit) => visit.link(/^What changed/)],
        [
          "save every row that differs",
          async (visit) => {
            const { tableId } = await visit.table("mime-types");
            const [to, from] = await visit.versions("mime-types");
            const sides = `from=${from?.version_id}&to=${to?.version_id}`;
            const { rows } = await visit.json(`/api/v2/public/tables/${tableId}/versions/compare?${sides}`);
            const { text } = await visit.saved(() => visit.link("CSV of every row that differs"));
            expect(text.trimEnd().split("\r\n")).toHaveLength(1 + rows.added + rows.removed + 2 * rows.changed);
          },
        ],
      ],
    },
    {
      wish: "Have the whole table as Parquet and verify its digest.",
      isScriptless: true,
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/mauna-loa-co2")],
        ["press Download", (visit) => visit.link("Download")],
        [
          "save the Parquet file, whose digest is the version’s",
          async (visit) => {
            const { bytes } = await visit.saved(() => visit.link(/^Parquet/, visit.page.getByRole("main")));
            const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
            expect(digest).toBe((await visit.versions("mauna-loa-co2"))[0]?.content_digest);
            await visit.says(digest);
          },
        ],
      ],
    },
    {
      wish: "Have the rows of a filtered view as Parquet that says which they are.",
      isSeed: true,
      steps: [
        ["open the flights from Chicago", (visit) => visit.open(`${FLIGHTS}?filter=origin:eq:ORD`)],
        ["open Download", (visit) => visit.summary("Download")],
        [
          "save all rows as Parquet, with version, digest and query in the file",
          async (visit) => {
            const all = visit.page.getByRole("group", { name: /^All [\d,]+ rows of this view$/ });
            const { bytes } = await visit.saved(() => visit.button("Parquet", all));
            const metadata = parquetMetadata(new Uint8Array(bytes).buffer);
            const [row] = await visit.query("us-flights-2001", {
              columns: [],
              aggregates: [{ function: "count", as: "n" }],
              filters: [{ column: "origin", operator: "eq", value: "ORD" }],
            });
            expect(Number(metadata.num_rows)).toBe(Number(row?.n));
            const told = JSON.stringify(metadata.key_value_metadata);
            const [current] = await visit.versions("us-flights-2001");
            for (const part of [current?.version_id, current?.content_digest.slice("sha256:".length), "ORD"])
              expect(told).toContain(part);
          },
        ],
      ],
    },
    {
      wish: "See how the matching rows are spread beside the whole table.",
      steps: [
        [
          "open the earthquakes",
          (visit) => visit.open("/datasets/earthquakes-2018/events?search=california&columns=mag,status,place"),
        ],
        ["open a column’s menu", (visit) => visit.columnMenu("status")],
        [
          "read the share of a value in both",
          async (visit) => {
            const rows = await visit.query("earthquakes-2018", {
              columns: [],
              group_by: ["status"],
              aggregates: [{ function: "count", as: "n" }],
              search: { text: "california" },
            });
            const reviewed = Number(rows.find(({ status }) => status === "reviewed")?.n);
            await expect(visit.page.getByRole("dialog", { name: "status" })).toContainText(
              `${((100 * reviewed) / 78).toFixed(1)}%`,
            );
          },
        ],
      ],
    },
    {
      wish: "Cite one row by an address that stays.",
      steps: [
        ["open the table", (visit) => visit.open("/datasets/spdx-licenses/licenses")],
        [
          "select a cell",
          async (visit) => {
            visit.actions++;
            await visit.cell(2, 1).click();
          },
        ],
        ["open the row", (visit) => visit.link("Row 3")],
        [
          "read the row and its citation",
          async (visit) => {
            await visit.heading("Row 3 of 727");
            const [, , third] = await visit.query("spdx-licenses", { columns: ["license_id"], limit: 3 });
            await visit.says(String(third?.license_id));
            const cite = visit.page.getByRole("region", { name: "Cite this row" });
            await expect(cite).toContainText((await visit.table("spdx-licenses")).version_id);
          },
        ],
      ],
    },
  ],
};
