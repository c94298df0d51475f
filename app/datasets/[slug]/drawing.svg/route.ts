import { cardDrawing } from "@/components/picture/card-drawing";
import { profileBars } from "@/components/picture/profile-bars";
import { documentEndpoint } from "@/lib/http/document-endpoint";
import { nextHandlers } from "@/lib/http/next-handlers";
import { execute } from "@/lib/operations/execute";
import { getDataset } from "@/lib/operations/get-dataset";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextHandlers(
  documentEndpoint("image/svg+xml", async (path, ctx) =>
    cardDrawing(profileBars(await execute(getDataset, { path: getDataset.input.path.parse(path) }, ctx))),
  ),
);
