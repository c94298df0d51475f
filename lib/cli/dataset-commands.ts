import type { Command } from "commander";
import { changeVisibility, listVisibility, visibilitySchema } from "@/lib/operations/operator/dataset-visibility";
import { editDatasetTexts } from "@/lib/operations/operator/edit-dataset";
import { datasetTextsSchema } from "@/lib/schemas/publish";
import { addDatasetOptions, type DatasetOptions, datasetTexts } from "./dataset-options";
import { checked, print, printRows } from "./output";

const VISIBILITY_HELP = `
  public      everybody finds and reads it
  private     only use keys of the workspace that owns it; name it with --workspace when nobody owns it yet
  withdrawn   nobody; its files stay, and it can be made public again

It takes effect on the next request: who may not read it gets the same 404 as for a dataset that does not exist. What \
was public
may still be shown by caches between the service and its readers: pages for up to 60 s, catalogue, schema and preview \
for up to
60 s, or 11 minutes by a cache that serves stale replies while it asks again. Purge such a cache when it must be gone \
at once.
Queries and downloads are kept by no shared cache.

  parquetry dataset visibility river-levels withdrawn
  parquetry dataset visibility river-levels private --workspace 6d6f0a52-…`;

const EDIT_HELP = `
No version is made: what was said when a version was sealed stays in its file. An empty text or list ("") takes it away.

  parquetry dataset edit river-levels --title "Water levels of rivers" --topics hydrology,rivers`;

/** `dataset list`, `dataset visibility`, `dataset edit`. */
export function addDatasetCommands(program: Command): void {
  const dataset = program.command("dataset").description("Published datasets and who may read them.");
  dataset
    .command("list")
    .description("Lists all datasets, private and withdrawn ones too.")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => printRows(await listVisibility(), json));
  dataset
    .command("visibility <slug> <visibility>")
    .description("Makes a dataset public, private or withdrawn.")
    .option("--workspace <id>", "the workspace that owns it from now on")
    .option("--json", "print JSON")
    .addHelpText("after", VISIBILITY_HELP)
    .action(async (slug: string, visibility: string, { json, ...options }: { json?: boolean }) =>
      print(await changeVisibility(checked(visibilitySchema, { slug, visibility, ...options })), json),
    );
  addDatasetOptions(
    dataset
      .command("edit <slug>")
      .description("Changes what is said of a dataset. Only what is given changes, from the next request on."),
  )
    .option("--json", "print JSON")
    .addHelpText("after", EDIT_HELP)
    .action(async (slug: string, { json, ...options }: DatasetOptions & { json?: boolean }) =>
      print(await editDatasetTexts(slug, checked(datasetTextsSchema, await datasetTexts(options))), json),
    );
}
