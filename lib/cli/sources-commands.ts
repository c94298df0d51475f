import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { z } from "zod";
import { currentSweep } from "@/lib/operations/search-sources";
import { sweepSources } from "@/lib/publish/sweep-sources";
import { OPERATOR } from "@/lib/store/audit";
import { fromHere } from "./from-here";
import { checked, print } from "./output";

const optionsSchema = z.strictObject({
  provider: z.string().min(1).optional(),
  homepage: z.url().optional(),
  baseUrl: z.url().optional(),
  json: z.boolean().optional(),
});

/** `sources harvest`, `sources show`. */
export function addSourcesCommands(program: Command): void {
  const sources = program.command("sources").description("Manages the sources that agents search with catalog_search.");
  sources
    .command("harvest <document>")
    .description(
      "Harvests a provider's list of sources (a file: Frictionless datapackage.json, CKAN package_search response " +
        "or DCAT data.json), replacing the previous one. The sources themselves are not opened.",
    )
    .option("--provider <name>", "the provider's name (default: the name in the document)")
    .option("--homepage <url>", "the provider's page")
    .option("--base-url <url>", "the base URL for relative paths of sources")
    .option("--json", "print JSON")
    .action(async (file: string, options: unknown) => {
      const { json, ...request } = checked(optionsSchema, options);
      const document = await readFile(fromHere(file), "utf8").catch((error: NodeJS.ErrnoException) => {
        throw new Error(error.code === "ENOENT" ? `File not found: ${file}` : `${file}: ${error.message}`);
      });
      await sweepSources({ document, ...request, now: new Date() }, OPERATOR);
      await show(json);
    });
  sources
    .command("show")
    .description("Shows what was harvested, when, and its coverage.")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => show(json));
}

async function show(json: boolean | undefined): Promise<void> {
  const found = await currentSweep();
  if (!found) throw new Error("Nothing has been harvested yet. Run: parquetry sources harvest DOCUMENT");
  const { coverage, ...sweep } = found;
  print(json ? { ...sweep, coverage } : { ...sweep, ...coverage }, json);
}
