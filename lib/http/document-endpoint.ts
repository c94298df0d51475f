import type { Context } from "@/lib/access/context";
import { takeMetadataRequest } from "@/lib/access/quotas";
import type { OpenText } from "@/lib/storage/cached-text";
import type { Endpoint, PathParams } from "./endpoint";
import { cacheableReply, cachedReply, respond } from "./respond";

type Content = string | Uint8Array | OpenText;

/** A year, the longest that caches keep anything. */
const IMMUTABLE = "public, max-age=31536000, immutable";

interface DocumentOptions {
  /** The URL changes with the content. */
  isImmutable?: boolean;
}

/** The endpoint of a read-only document that is not an operation: public, cacheable, with a strong ETag. */
export const documentEndpoint = (
  mediaType: string,
  write: (path: PathParams, ctx: Context) => Promise<Content> | Content,
  { isImmutable = false }: DocumentOptions = {},
): Endpoint => ({
  answers: {
    async GET({ params, ctx }) {
      await takeMetadataRequest(ctx);
      const content = await write(params, ctx);
      const isPlain = typeof content === "string" || content instanceof Uint8Array;
      const reply = isPlain ? cacheableReply(content, mediaType, ctx) : cachedReply(content, mediaType, ctx);
      return respond(
        isImmutable ? { ...reply, headers: { ...reply.headers, "cache-control": IMMUTABLE } } : reply,
        ctx,
      );
    },
  },
});
