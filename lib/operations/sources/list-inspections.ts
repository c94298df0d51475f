import { z } from "zod";
import { datasetPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { inspectionSchema } from "@/lib/schemas/inspection";
import { inspectionsFor } from "@/lib/store/sources/inspections";
import { presentInspection } from "./present-inspection";

const MOST = 20;

/** What was found in the sources inspected for a dataset, oldest first, for its page in the studio. */
export const listInspections = operation({
  name: "list_inspections",
  summary: "List a dataset's inspections",
  description: "The newest inspection of each source that was inspected for a dataset, oldest first.",
  access: "build_read",
  quota: "account",
  input: { path: datasetPathSchema },
  output: z.object({ inspections: z.array(inspectionSchema) }),
  locate: locateBuilt,
  async run({ located }, ctx) {
    const found = await inspectionsFor(located.id, MOST, ctx.now());
    return { inspections: found.map((inspection) => presentInspection(inspection)) };
  },
});
