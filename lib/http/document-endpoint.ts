import type { Context } from "@/lib/access/context";
import { takeMetadataRequest } from "@/lib/access/quotas";
import type { OpenText } from "@/lib/storage/kept-text";
import type { Endpoint, PathParams } from "./endpoint";
import { cacheableReply, keptReply, respond } from "./respond";

type Content = string | Uint8Array | OpenText;

/** The endpoint of a read-only document that is not an operation: public, cacheable, with a strong ETag. */
export const documentEndpoint = (
  mediaType: string,
  write: (path: PathParams, ctx: Context) => Promise<Content> | Content,
): Endpoint => ({
  answers: {
    async GET({ params, ctx }) {
      await takeMetadataRequest(ctx);
      const content = await write(params, ctx);
      const isPlain = typeof content === "string" || content instanceof Uint8Array;
      return respond(isPlain ? cacheableReply(content, mediaType, ctx) : keptReply(content, mediaType, ctx), ctx);
    },
  },
});
