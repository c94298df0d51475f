import { z } from "zod";
import { operation } from "@/lib/operations/operation";
import { type DatasetTexts, datasetTextsSchema } from "@/lib/schemas/publish";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { editDataset as edit } from "@/lib/store/datasets/dataset-texts";

const { title, summary, description, publisher, license, topics, sources, temporalCoverage } = datasetTextsSchema.shape;
type NamedSource = NonNullable<DatasetTexts["sources"]>[number];
const publisherFields = publisher.unwrap().shape;

/** A dataset's metadata as given on the command line; absent values remain unchanged. */
export const datasetOptionsSchema = z.strictObject({
  title: title.describe("the dataset's title"),
  publisher: publisherFields.name.describe("the publisher's name"),
  publisher_url: publisherFields.url.describe("the publisher's page"),
  license: license.describe("SPDX identifier, or the licence's name if it has none"),
  topics: z.string().transform(namesIn).pipe(topics.unwrap()).optional().describe("topics, comma-separated"),
  summary: summary.describe("one or two sentences"),
  description: description.describe("a Markdown file"),
  source: z
    .array(z.string())
    .transform((urls) => urls.map((url): NamedSource => ({ name: url, url })))
    .pipe(sources.unwrap())
    .optional()
    .describe("URLs of the data's sources"),
  coverage: z
    .string()
    .transform((interval) => (interval === "" ? null : interval))
    .pipe(temporalCoverage.unwrap())
    .optional()
    .describe("ISO 8601 interval the data covers; empty for none"),
});

/** How the help shows the values, and which are files. */
export const DATASET_OPTIONS = {
  valueNames: {
    publisher: "name",
    publisher_url: "url",
    license: "spdx",
    topics: "list",
    summary: "text",
    description: "file",
    source: "url",
    coverage: "interval",
  },
  files: ["description"],
} as const;

/** `"a, b"` → `["a", "b"]` */
export function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

/** The fields that were given. */
export function datasetTexts(options: z.output<typeof datasetOptionsSchema>): DatasetTexts {
  const { publisher: name, publisher_url: url, source, coverage, ...same } = options;
  const by = { ...(name !== undefined && { name }), ...(url !== undefined && { url }) };
  const texts = {
    ...same,
    sources: source,
    temporalCoverage: coverage,
    publisher: Object.keys(by).length > 0 ? by : undefined,
  };
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)) as DatasetTexts;
}

const HELP = `
No new version is created; the metadata stored in existing files does not change. An empty string or list ("") removes
the value.

  parquetry dataset edit river-levels --title "Water levels of rivers" --topics hydrology,rivers`;

/** Changes the given metadata of a dataset, from the next request on. */
export const editDataset = operation({
  name: "edit_dataset",
  summary: "Edit a dataset's metadata",
  description: "Edits a dataset's metadata. Only the given options change; takes effect on the next request.",
  access: "operator",
  quota: "none",
  input: { body: datasetOptionsSchema.extend({ slug: z.string() }) },
  output: z.strictObject({ dataset: z.string(), changed: z.unknown() }),
  async run({ body: { slug, ...options } }) {
    const texts = datasetTexts(options);
    if (Object.keys(texts).length === 0)
      throw new Error("Nothing to change. Give at least one option; list them with: parquetry dataset edit --help");
    const edited = await edit(slug, texts, ADMINISTRATOR);
    if (!edited) throw new Error(`Unknown dataset: ${slug}. List datasets with: parquetry dataset list`);
    return { dataset: slug, changed: edited.changed };
  },
  cli: { usage: "dataset edit <slug>", ...DATASET_OPTIONS, help: HELP },
});
