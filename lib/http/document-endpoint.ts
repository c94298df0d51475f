import type { Context } from "@/lib/access/context";
import { takeMetadataRequest } from "@/lib/access/quotas";
import type { Endpoint, PathParams } from "./endpoint";
import { cacheableReply, respond } from "./respond";

type Content = string | Uint8Array;

/** The endpoint of a read-only document that is not an operation: public, cacheable, with a strong ETag. */
export const documentEndpoint = (
  mediaType: string,
  write: (path: PathParams, ctx: Context) => Promise<Content> | Content,
): Endpoint => ({
  answers: {
    async GET({ params, ctx }) {
      await takeMetadataRequest(ctx);
      return respond(cacheableReply(await write(params, ctx), mediaType, ctx), ctx);
    },
  },
});
