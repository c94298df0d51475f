import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { dataPackage } from "@/lib/describe/data-package";
import { sealedFacts } from "@/lib/describe/sealed-facts";
import { locateDataset, presentWholeDataset, slugPathSchema } from "./get-dataset";
import { operation } from "./operation";

/** GET a dataset as a Frictionless Data Package. */
export const getDataPackage = operation({
  name: "get_data_package",
  summary: "Get a dataset as a Data Package",
  description:
    "The dataset as a Frictionless Data Package (version 2): licence, sources, and each current Parquet file " +
    "with its SHA-256 and columns.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/datasets/{slug}/datapackage.json" },
  input: { path: slugPathSchema },
  output: z
    .looseObject({ $schema: z.string(), name: z.string(), resources: z.array(z.unknown()) })
    .meta({ id: "DataPackage" }),
  locate: ({ slug }, ctx) => locateDataset(slug, readerOf(ctx)),
  async run({ located: record }, ctx) {
    return dataPackage(await presentWholeDataset(record, ctx), sealedFacts(record)) as {
      $schema: string;
      name: string;
      resources: unknown[];
    };
  },
});
