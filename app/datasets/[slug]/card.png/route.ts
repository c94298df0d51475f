import { drawPicture } from "@/app/draw-picture";
import { datasetPicture } from "@/components/picture/dataset-picture";
import { documentEndpoint } from "@/lib/http/document-endpoint";
import { nextHandlers } from "@/lib/http/next-handlers";
import { execute } from "@/lib/operations/execute";
import { getDataset } from "@/lib/operations/get-dataset";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextHandlers(
  documentEndpoint("image/png", async (path, ctx) =>
    drawPicture(datasetPicture(await execute(getDataset, { path: getDataset.input.path.parse(path) }, ctx))),
  ),
);
