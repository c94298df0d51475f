import { z } from "zod";
import { datasetMarkdown } from "@/lib/describe/dataset-markdown";
import { toolPart } from "@/lib/operations/tool-part";
import type { Dataset } from "@/lib/schemas/dataset";

/** Both text and structured content contain it. */
const CHARACTERS_MAX = 13_000;

/** The second half of the two-tool contract: one dataset as Markdown. */
export const fetchTool = toolPart({
  name: "fetch",
  title: "Fetch a dataset",
  description:
    "One dataset, by the id from search, as Markdown: description, licence, sources, each table with its id, " +
    "version, size and columns, and how to cite it. Read it before querying; then use its table ids with " +
    "sample_rows, get_table_schema or query_table.",
  input: z.strictObject({ id: z.string().max(200).describe("An id from search: the dataset's slug.") }),
  toInput: ({ id }) => ({ path: { slug: id } }),
  output: z.strictObject({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()),
  }),
  view(dataset: Dataset) {
    const { title, url, publisher, license, published_at } = dataset;
    const metadata = { publisher: publisher.name, license, published_at, markdown_url: dataset.markdown_url };
    return {
      structured: {
        id: dataset.slug,
        title,
        text: datasetText(dataset),
        url,
        metadata,
      },
    };
  },
});

/** A dataset's description for a model: complete, or its beginning and where to find the rest. */
export const datasetText = (dataset: Dataset): string =>
  shortened(datasetMarkdown(dataset, { addresses: false }), dataset.markdown_url);

function shortened(text: string, whole: string): string {
  if (text.length <= CHARACTERS_MAX) return text;
  return (
    `${text.slice(0, text.lastIndexOf("\n", CHARACTERS_MAX))}\n\n` +
    `PARTIAL: the full text is at ${whole}; get_table_schema lists a table's columns.\n`
  );
}
