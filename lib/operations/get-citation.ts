import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { citeAs, citedDataset, citedVersion } from "@/lib/describe/citation";
import { versionNameSchema } from "@/lib/engine/grammar/version-choice";
import { locateDatasetVersion } from "@/lib/operations/reading/locate-dataset-version";
import { citationSchema, type DatasetCitation } from "@/lib/schemas/dataset";
import { locateDataset, slugPathSchema } from "./get-dataset";
import { operation } from "./operation";

const querySchema = z.strictObject({
  version_id: versionNameSchema
    .optional()
    .describe("A version of one of its tables, by its UUID, label or number. Default: the current ones of all tables."),
});

/** GET how to cite a dataset, or one version of one of its tables. */
export const getCitation = operation({
  name: "get_citation",
  summary: "Cite a dataset",
  description:
    "The citation as text, BibTeX, RIS, CSL-JSON and CITATION.cff. It names the immutable versions, their pages and " +
    "their SHA-256, so that readers can verify the data.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/datasets/{slug}/citation" },
  input: { path: slugPathSchema, query: querySchema },
  output: citationSchema,
  errors: ["invalid_value", "version_withdrawn"],
  locate: ({ slug }, ctx) => locateDataset(slug, readerOf(ctx)),
  async run({ query, located: record }, ctx): Promise<DatasetCitation> {
    const cited = query.version_id
      ? citedVersion(record, await locateDatasetVersion(record, query.version_id, "?version_id"), ctx.baseUrl)
      : citedDataset(record, ctx.baseUrl);
    return { schema_version: "service-public-citation.v1", url: cited.url, ...citeAs(cited) };
  },
});
