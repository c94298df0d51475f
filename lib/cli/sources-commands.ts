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

/** `sources sweep`, `sources show`. */
export function addSourcesCommands(program: Command): void {
  const sources = program
    .command("sources")
    .description("Sources of one provider, which agents search with catalog_search.");
  sources
    .command("sweep <document>")
    .description(
      "Reads a provider's own list (a Frictionless datapackage.json, a CKAN package_search reply or a DCAT " +
        "data.json, as a file) in the place of the one before. The sources themselves are not opened.",
    )
    .option("--provider <name>", "who provides them; the document's own name when absent")
    .option("--homepage <url>", "the provider's page")
    .option("--base-url <url>", "what relative paths of sources are resolved against")
    .option("--json", "print JSON")
    .action(async (file: string, options: unknown) => {
      const { json, ...request } = checked(optionsSchema, options);
      const document = await readFile(fromHere(file), "utf8").catch((error: NodeJS.ErrnoException) => {
        throw new Error(error.code === "ENOENT" ? `There is no file ${file}` : `${file}: ${error.message}`);
      });
      await sweepSources({ document, ...request, now: new Date() }, OPERATOR);
      await show(json);
    });
  sources
    .command("show")
    .description("Tells what was swept, when and how far.")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => show(json));
}

async function show(json: boolean | undefined): Promise<void> {
  const found = await currentSweep();
  if (!found) throw new Error("Nothing was swept yet: parquetry sources sweep DOCUMENT");
  const { coverage, ...sweep } = found;
  print(json ? { ...sweep, coverage } : { ...sweep, ...coverage }, json);
}
