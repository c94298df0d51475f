import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { FLIGHTS } from "./explorer-page";
import { test } from "./test";

const run = promisify(execFile);

test("the snippets, run exactly as shown, return the rows of the grid", async ({ page }) => {
  await page.goto(`${FLIGHTS}?filter=distance:gte:500&group=origin&agg=count::rows&sort=-rows&limit=5`);
  await expect(page.locator("[data-cell='4:0']")).toHaveText(/[A-Z]{3}/);
  const shown = await page.locator("[data-cell$=':0']").allTextContents();
  const counts = (await page.locator("[data-cell$=':1']").allTextContents()).filter((text) => /\d/.test(text));
  expect(shown.filter((text) => text !== "")).toHaveLength(5);
  const commands = {
    curl: ["sh", "-c"],
    javascript: [process.execPath, "--input-type=module", "-e"],
    python: ["python3", "-c"],
  } as const;
  for (const [tab, [command, ...given]] of Object.entries(commands)) {
    await page.locator(`label[for="explorer-code-${tab}"]`).click();
    const code = (await page.locator(`#explorer-code-${tab} + label + .panel pre`).textContent()) ?? "";
    const { stdout } = await run(command, [...given, code]);
    for (const [at, origin] of shown.slice(0, 5).entries()) {
      expect(stdout, tab).toContain(origin);
      expect(stdout, tab).toContain((counts[at] ?? "").replaceAll(",", ""));
    }
  }
});
