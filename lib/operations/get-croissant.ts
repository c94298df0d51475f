import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { croissant } from "@/lib/describe/croissant";
import { sealedFacts } from "@/lib/describe/sealed-facts";
import { lineagesOf, locateDataset, presentWholeDataset, slugPathSchema } from "./get-dataset";
import { operation } from "./operation";

/** GET a dataset as Croissant, which machine-learning tools read. */
export const getCroissant = operation({
  name: "get_croissant",
  summary: "Get a dataset as Croissant",
  description: "The dataset in the Croissant 1.1 format (JSON-LD), with the SHA-256 of each current Parquet file.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/datasets/{slug}/croissant.json" },
  input: { path: slugPathSchema },
  output: z.looseObject({ "@context": z.unknown(), "@type": z.literal("sc:Dataset") }).meta({ id: "Croissant" }),
  locate: ({ slug }, ctx) => locateDataset(slug, readerOf(ctx)),
  async run({ located: record }, ctx) {
    const [dataset, lineages] = await Promise.all([presentWholeDataset(record, ctx), lineagesOf(record, ctx.baseUrl)]);
    return croissant(dataset, sealedFacts(record), (versionId) => lineages.get(versionId));
  },
});
