import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { KEY, revealed, useKeys } from "../access-page";
import { FLIGHTS } from "../explorer-page";
import { scratchFolder } from "../scratch";
import { parquetryBeside, payFor } from "../service";
import { noteFound } from "../used-secrets";
import type { Path, Visit } from "./visit";

const FOLDER = scratchFolder("paths");

/** What a command prints that somebody copied into a terminal. */
async function terminal(code: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const PATH = [join(FOLDER, "node_modules", ".bin"), dirname(process.execPath), process.env.PATH];
  const env = { ...process.env, PATH: PATH.join(":"), ...variables };
  const { stdout } = await promisify(execFile)("sh", ["-e", "-c", code], { cwd: FOLDER, env });
  return stdout;
}

/** Opens the docs and, where the screen has no room beside the text, their list of pages. */
async function openDocs(visit: Visit): Promise<void> {
  await visit.open("/docs");
  const list = visit.page.locator(".doc-menu > summary", { hasText: "All docs pages" });
  if (await list.isVisible()) await visit.press(list);
}

const snippet = async (visit: Visit, id: string): Promise<string> =>
  (await visit.page.locator(`#use-${id} + label + .panel pre`).textContent()) ?? "";

/** A private table of the engineer's own workspace. */
async function publishPrivately(visit: Visit): Promise<void> {
  const { workspaces } = await visit.json("/api/account");
  const workspace: string = workspaces[0].id;
  await payFor(workspace);
  const slug = `pumps-${randomBytes(4).toString("hex")}`;
  const file = join(FOLDER, `${slug}.csv`);
  writeFileSync(file, "id,pump\n1,Lower Mill\n2,Upper Mill\n");
  const about = ["--dataset", slug, "--table", "pumps", "--primary-key", "id", "--title", "Pumps of our own"];
  const by = ["--publisher", `Office of ${slug}`, "--license", "CC0-1.0", "--private", "--workspace", workspace];
  await parquetryBeside("publish", file, ...about, ...by);
  visit.notes.set("private dataset", slug);
}

/** Somebody who wants the data in a program of their own. */
export const ENGINEER: Path = {
  person: "engineer",
  isSignedIn: true,
  prepare: publishPrivately,
  tasks: [
    {
      wish: "Create a key.",
      isSeed: true,
      steps: [
        ["open the access page", (visit) => visit.open("/settings/access")],
        ["name the key", (visit) => visit.write(useKeys(visit.page).getByLabel("Name"), "notebook")],
        [
          "create it",
          async (visit) => {
            await visit.button("Create key", useKeys(visit.page));
            const key = (await revealed(visit.page).locator("code").first().textContent()) ?? "";
            expect(key).toMatch(KEY);
            noteFound(key, "a key on the access page");
            visit.notes.set("key", key);
          },
        ],
        [
          "run the command that is shown with it",
          async (visit) => {
            const command = (await revealed(visit.page).locator("pre").textContent()) ?? "";
            expect(JSON.parse(await terminal(command)).rows.length).toBeGreaterThan(0);
          },
        ],
      ],
    },
    {
      wish: "Read a table with the curl command that its page shows.",
      isScriptless: true,
      isSeed: true,
      steps: [
        ["open the dataset", (visit) => visit.open("/datasets/mauna-loa-co2")],
        ["press Query", (visit) => visit.link("Query")],
        [
          "run the command",
          async (visit) => {
            await expect(visit.page.locator("#use-curl + label + .panel pre")).toBeVisible();
            const reply = JSON.parse(await terminal(await snippet(visit, "curl")));
            expect(reply.rows).toEqual(
              await visit.query("mauna-loa-co2", { columns: ["Date", "CO2", "adjusted CO2"], limit: 5 }),
            );
          },
        ],
      ],
    },
    {
      wish: "Read a private table of the workspace with the key.",
      steps: [
        ["open the dataset", (visit) => visit.open(`/datasets/${visit.note("private dataset")}`)],
        ["press Query", (visit) => visit.link("Query")],
        ["choose curl with key", (visit) => visit.tab("curl with key")],
        [
          "run the command with the key",
          async (visit) => {
            const code = await snippet(visit, "curl-key");
            const reply = JSON.parse(await terminal(code, { PARQUETRY_KEY: visit.note("key") }));
            expect(JSON.stringify(reply.rows)).toContain("Lower Mill");
          },
        ],
      ],
    },
    {
      wish: "Make a query in the explorer and run it as code.",
      steps: [
        ["open the flights", (visit) => visit.open(FLIGHTS)],
        ["open Group", (visit) => visit.button(/^Group/)],
        [
          "count per month, as it suggests",
          async (visit) => {
            await visit.button("Apply", visit.page.getByRole("form", { name: "Groups" }));
            await expect(visit.cell(0, 0)).toHaveText("2001-01-01");
          },
        ],
        [
          "run the code below in JavaScript",
          async (visit) => {
            await visit.tab("JavaScript");
            const code = visit.page.locator("#explorer-code-javascript + label + .panel pre");
            await expect(code).toBeVisible();
            const text = (await code.textContent()) ?? "";
            const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", text]);
            expect(stdout).toContain(((await visit.cell(0, 1).textContent()) ?? "?").replaceAll(",", ""));
          },
        ],
      ],
    },
    {
      wish: "Find the OpenAPI document for a generator.",
      isScriptless: true,
      steps: [
        ["open the home page", (visit) => visit.open("/")],
        ["press OpenAPI at its foot", (visit) => visit.link("OpenAPI")],
        [
          "read the document",
          async (visit) => {
            await visit.page.waitForURL(/openapi/);
            const document = JSON.parse((await visit.page.locator("body").textContent()) ?? "");
            expect(Object.keys(document.paths).length).toBeGreaterThan(20);
          },
        ],
      ],
    },
    {
      wish: "Install the command line and read a table with it.",
      isScriptless: true,
      steps: [
        ["open the docs", openDocs],
        [
          "open Command line",
          async (visit) => {
            await visit.link("Command line", visit.page.getByRole("main"));
            await visit.heading("Command line");
          },
        ],
        [
          "run what it says in an empty folder",
          async (visit) => {
            const install = (await visit.page.locator("main pre").first().textContent()) ?? "";
            const [, archive = ""] = /(http\S+\.tgz)/.exec(install) ?? [];
            expect(archive).not.toBe("");
            await terminal(`npm install --no-audit --no-fund ${archive}`);
            expect(await terminal("parquetry --help")).toContain("login");
          },
        ],
      ],
    },
    {
      wish: "Learn how many queries a key may send.",
      isScriptless: true,
      steps: [
        ["open the docs", openDocs],
        [
          "open Limits",
          async (visit) => {
            await visit.link("Limits", visit.page.getByRole("main"));
            await visit.heading("Limits");
          },
        ],
        [
          "read the limit that replies name",
          async (visit) => {
            const { tableId } = await visit.table("mauna-loa-co2");
            const reply = await fetch(new URL(`/api/v2/public/tables/${tableId}/query`, visit.page.url()), {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ limit: 1 }),
            });
            const [, quota = ""] = /q=(\d+)/.exec(reply.headers.get("ratelimit-policy") ?? "") ?? [];
            expect(quota).not.toBe("");
            await visit.says(Number(quota).toLocaleString("en-US"));
          },
        ],
      ],
    },
    {
      wish: "Connect an agent.",
      isScriptless: true,
      steps: [
        ["open the docs", openDocs],
        [
          "open Connect an agent",
          async (visit) => {
            await visit.link("Connect an agent", visit.page.getByRole("main"));
            await visit.heading("Connect an agent");
          },
        ],
        [
          "run the first check from a terminal",
          async (visit) => {
            const check = visit.page.getByRole("figure", { name: /^1\. The URL responds/ }).locator("pre");
            expect(await terminal((await check.textContent()) ?? "")).toContain("serverInfo");
          },
        ],
      ],
    },
    {
      wish: "Learn what an error code means.",
      steps: [
        ["open the docs", openDocs],
        [
          "search them for the code",
          async (visit) => {
            await visit.write(
              visit.page.getByRole("main").getByRole("searchbox").filter({ visible: true }),
              "version_withdrawn",
            );
            await visit.enter();
          },
        ],
        [
          "open the errors",
          async (visit) => {
            await visit.link(/Errors/, visit.page.getByRole("main"));
            await visit.says("version_withdrawn");
          },
        ],
      ],
    },
  ],
};
