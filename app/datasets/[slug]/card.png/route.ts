import { drawPicture } from "@/app/draw-picture";
import { datasetPicture } from "@/components/picture/dataset-picture";
import { serveDocument } from "@/lib/http/serve-document";
import { execute } from "@/lib/operations/execute";
import { getDataset } from "@/lib/operations/get-dataset";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument("image/png", async (path, ctx) =>
  drawPicture(datasetPicture(await execute(getDataset, { path: getDataset.input.path.parse(path) }, ctx))),
);
