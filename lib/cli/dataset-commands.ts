import type { Command } from "commander";
import { changeVisibility, listVisibility, visibilitySchema } from "@/lib/operations/operator/dataset-visibility";
import { editDatasetTexts } from "@/lib/operations/operator/edit-dataset";
import { datasetTextsSchema } from "@/lib/schemas/publish";
import { addDatasetOptions, type DatasetOptions, datasetTexts } from "./dataset-options";
import { checked, print, printRows } from "./output";

const VISIBILITY_HELP = `
  public      anyone can find and read it
  private     only use keys of the owning workspace can read it; give --workspace if it has no owner yet
  withdrawn   nobody can read it; its files remain, and it can be made public again

The change takes effect on the next request. Readers without access get the same 404 as for a dataset that does not
exist. Shared caches may still serve what was public: pages, catalogue, schema and preview for up to 60 s, or 11
minutes with stale-while-revalidate. To remove it at once, purge the cache. Queries and downloads are never stored in
shared caches.

  parquetry dataset visibility river-levels withdrawn
  parquetry dataset visibility river-levels private --workspace 6d6f0a52-…`;

const EDIT_HELP = `
No new version is created; the metadata stored in existing files does not change. An empty string or list ("") removes
the value.

  parquetry dataset edit river-levels --title "Water levels of rivers" --topics hydrology,rivers`;

/** `dataset list`, `dataset visibility`, `dataset edit`. */
export function addDatasetCommands(program: Command): void {
  const dataset = program.command("dataset").description("Manages published datasets and their visibility.");
  dataset
    .command("list")
    .description("Lists all datasets, including private and withdrawn ones.")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => printRows(await listVisibility(), json));
  dataset
    .command("visibility <slug> <visibility>")
    .description("Makes a dataset public, private or withdrawn.")
    .option("--workspace <id>", "the workspace that will own it")
    .option("--json", "print JSON")
    .addHelpText("after", VISIBILITY_HELP)
    .action(async (slug: string, visibility: string, { json, ...options }: { json?: boolean }) =>
      print(await changeVisibility(checked(visibilitySchema, { slug, visibility, ...options })), json),
    );
  addDatasetOptions(
    dataset
      .command("edit <slug>")
      .description("Edits a dataset's metadata. Only the given options change; takes effect on the next request."),
  )
    .option("--json", "print JSON")
    .addHelpText("after", EDIT_HELP)
    .action(async (slug: string, { json, ...options }: DatasetOptions & { json?: boolean }) =>
      print(await editDatasetTexts(slug, checked(datasetTextsSchema, await datasetTexts(options))), json),
    );
}
