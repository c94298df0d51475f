import { drawPicture } from "@/app/draw-picture";
import { profileBars } from "@/components/picture/profile-bars";
import { sitePicture } from "@/components/picture/site-picture";
import type { Context } from "@/lib/access/context";
import { documentEndpoint } from "@/lib/http/document-endpoint";
import { nextHandlers } from "@/lib/http/next-handlers";
import { execute } from "@/lib/operations/execute";
import { getDataset } from "@/lib/operations/get-dataset";
import { searchDatasets } from "@/lib/operations/search-datasets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextHandlers(
  documentEndpoint("image/png", async (_path, ctx) => {
    const { total, datasets } = await execute(searchDatasets, { query: { limit: 1 } }, ctx);
    const [newest] = datasets;
    return drawPicture(sitePicture(total, newest && (await barsOf(newest.slug, ctx))));
  }),
);

const barsOf = async (slug: string, ctx: Context) => profileBars(await execute(getDataset, { path: { slug } }, ctx));
