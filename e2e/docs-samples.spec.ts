import { execFile, spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type APIRequestContext, expect } from "@playwright/test";
import { isHosted } from "@/lib/access/access-table";
import { ALL_SAMPLES } from "@/lib/docs/samples/all-samples";
import { FUNCTION_EXAMPLES, OPERATOR_EXAMPLES } from "@/lib/docs/samples/grammar-examples";
import { operationSamples } from "@/lib/docs/samples/operation-sample";
import {
  SAMPLE_DATASETS,
  type Sample,
  type SampleLanguage,
  type SamplePlace,
  VERSIONED,
} from "@/lib/docs/samples/sample";
import { ROUTED } from "@/lib/operations/registry";
import { tableOf } from "./catalogue";
import { scratchFolder } from "./scratch";
import { readerKey } from "./service";
import { shownOutput } from "./shown-output";
import { test } from "./test";

const RUNNERS: Readonly<Record<Exclude<SampleLanguage, "r" | "sql">, readonly string[]>> = {
  shellscript: ["sh", "-c"],
  python: ["python3", "-c"],
  javascript: [process.execPath, "--input-type=module", "-e"],
};
async function placeOf(request: APIRequestContext, base: string): Promise<SamplePlace> {
  const ids = await Promise.all(
    SAMPLE_DATASETS.map(async (slug) => [slug, (await tableOf(request, slug)).tableId] as const),
  );
  return { base, tableIds: new Map(ids), versionIds: [] };
}

/** The versions of a table, newest first. */
async function versionsOf(request: APIRequestContext, tableId: string): Promise<readonly string[]> {
  const reply = await request.get(`/api/v2/public/tables/${tableId}/versions`);
  return (await reply.json()).versions.map(({ version_id }: { version_id: string }) => version_id);
}

/**
 * Evaluates each file separately and prints the names of those that fail, in one process: starting R takes a second.
 */
const RUN_R = `for (file in commandArgs(TRUE)) tryCatch(
  capture.output(suppressMessages(source(file, local = new.env()))),
  error = function(e) cat(file, conditionMessage(e), "\\n"))`;
const hasR = spawnSync("Rscript", ["-e", "library(httr2); library(jsonlite)"]).status === 0;

/** The R lines on the page about clients, except those that need another package. */
async function linesOfR(request: APIRequestContext): Promise<string> {
  const page = await (await request.get("/docs/clients.md")).text();
  const code = [...page.matchAll(/^```r\n(.*?)^```$/gms)].map(([, lines = ""]) => lines).join("");
  expect(code).toContain("library(httr2)");
  return code
    .split("\n")
    .filter((line) => !line.includes("nanoparquet::"))
    .join("\n");
}

const SAVES_A_FILE = / -o |writeFile|copyfileobj/;

/** The output of a sample, run in its own folder. Fails if the sample fails. */
async function run(
  { language, code, needsKey }: Pick<Sample, "language" | "code" | "needsKey">,
  place: SamplePlace,
): Promise<string> {
  if (language === "sql" || language === "r") throw new Error(`nothing here runs ${language}`);
  const [command = "", ...args] = RUNNERS[language];
  const env = { ...process.env, LANG: "C.UTF-8", FORCE_COLOR: "0", ...(needsKey && { PARQUETRY_KEY: readerKey() }) };
  const cwd = scratchFolder("docs");
  symlinkSync(resolve("node_modules"), join(cwd, "node_modules")); // JavaScript finds the libraries that it imports
  const { stdout } = await promisify(execFile)(command, [...args, code(place)], { cwd, env });
  return stdout.replaceAll("\r\n", "\n").trim();
}

test.describe("code samples", () => {
  const runnable = ALL_SAMPLES.filter(({ unrun }) => !unrun);
  for (const sample of runnable.filter(({ session }) => session === undefined)) {
    test(`${sample.id} prints what the docs show`, async ({ request, baseURL }) => {
      const printed = await run(sample, await placeOf(request, baseURL ?? ""));
      if (sample.output !== undefined)
        expect(sample.outputIs === "json" ? printed.replace(/\s+/g, "") : printed).toMatch(shownOutput(sample));
    });
  }

  test("each has its own id, and the page says which ones are not run", async ({ page }) => {
    expect(new Set(ALL_SAMPLES.map(({ id }) => id)).size).toBe(ALL_SAMPLES.length);
    let said = 0;
    for (const path of ["/docs/formats", "/docs/connect"]) {
      await page.goto(path);
      said += await page.getByText("Not covered by our tests.").count();
    }
    expect(said).toBe(ALL_SAMPLES.length - runnable.length);
  });

  test("the examples of operators and functions return what the docs say", async ({ request }) => {
    const ask = async (dataset: string, body: object) => {
      const { tableId } = await tableOf(request, dataset);
      const reply = await request.post(`/api/public/tables/${tableId}/query`, { data: { columns: [], ...body } });
      return Object.values((await reply.json()).rows[0])[0];
    };
    for (const { dataset, part, gives } of Object.values(OPERATOR_EXAMPLES))
      expect([
        part.operator,
        await ask(dataset, { filters: [part], aggregates: [{ function: "count", as: "n" }] }),
      ]).toEqual([part.operator, gives]);
    for (const { dataset, part, gives } of Object.values(FUNCTION_EXAMPLES))
      expect([part.function, await ask(dataset, { aggregates: [part] })]).toEqual([part.function, gives]);
  });

  test("the example of every operation that takes no cookie succeeds, in each language", async ({
    request,
    baseURL,
  }) => {
    const place = await placeOf(request, baseURL ?? "");
    const versions = await versionsOf(request, place.tableIds.get(VERSIONED) ?? "");
    const samples = ROUTED.filter(({ access }) => !isHosted(access)).flatMap(operationSamples);
    const runnable = samples.filter(({ unrun }) => !unrun);
    expect(runnable.length).toBeGreaterThanOrEqual(30);
    for (const sample of runnable) {
      const code = sample.code({ ...place, versionIds: versions }).replace("curl -s ", "curl -sf ");
      const printed = await run({ ...sample, code: () => code }, place);
      expect([sample.id, printed.length > 0 || SAVES_A_FILE.test(code)]).toEqual([sample.id, true]);
    }
  });

  test("the same examples run in R, and the lines about clients", async ({ request, baseURL }) => {
    test.skip(!hasR, "skipped: needs R with httr2 and jsonlite");
    const base = baseURL ?? "";
    const place = await placeOf(request, base);
    const versionIds = await versionsOf(request, place.tableIds.get(VERSIONED) ?? "");
    const samples = ROUTED.filter(({ access }) => !isHosted(access)).flatMap(operationSamples);
    const codes = samples.filter(({ language }) => language === "r").map(({ code }) => code({ ...place, versionIds }));
    const cwd = scratchFolder("docs-r");
    const files = [...codes, await linesOfR(request)].map((code, at) => {
      writeFileSync(join(cwd, `${at}.R`), code);
      return `${at}.R`;
    });
    expect(files.length).toBeGreaterThanOrEqual(20);
    const env = { ...process.env, LANG: "C.UTF-8", PARQUETRY_KEY: readerKey() };
    const { stdout } = await promisify(execFile)("Rscript", ["-e", RUN_R, ...files], { cwd, env });
    expect(stdout).toBe("");
  });
});
