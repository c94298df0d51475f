import { createHash } from "node:crypto";
import type { QueryPage } from "@/lib/engine/query";
import { toArrow } from "@/lib/formats/arrow";
import { toCsv, toNdjson } from "@/lib/formats/text";
import type { TableVersion } from "@/lib/store/tables";
import { datasetPage } from "./links";
import type { Context, Reply } from "./operation";

/** A page with what its reply says beside the rows. */
export interface Answer {
  page: QueryPage;
  version: TableVersion;
  /** Of the version and the query, cursor included: the same have the same tag. */
  tag: string;
  /** Whether wide numbers travel as text. */
  wideAsText: boolean;
  /** The address that was asked. */
  url: string;
}

/** The page as the JSON document. */
export const replyWithJson = (answer: Answer, ctx: Context): Reply => reply(answer, "application/json; charset=utf-8", answer.page.body, {}, ctx);

/** The same page in other forms; what JSON says around its rows stands in headers. */
export const QUERY_ALTERNATIVES: Readonly<Record<string, (answer: Answer, ctx: Context) => Reply>> = {
  "text/csv": (answer, ctx) => replyWith(answer, "text/csv; charset=utf-8; header=present", toCsv(answer.page), ctx),
  "application/x-ndjson": (answer, ctx) => replyWith(answer, "application/x-ndjson; charset=utf-8", toNdjson(answer.page), ctx),
  "application/vnd.apache.arrow.stream": (answer, ctx) =>
    replyWith(answer, "application/vnd.apache.arrow.stream", toArrow(answer.page, answer.wideAsText), ctx),
};

function replyWith(answer: Answer, media: string, bytes: Uint8Array, ctx: Context): Reply {
  const { truncated, nextCursor } = answer.page;
  const next = nextCursor === null ? undefined : `<${answer.url}?cursor=${encodeURIComponent(nextCursor)}>; rel="next"`;
  return reply(
    answer,
    media,
    bytes,
    { "x-truncated": String(truncated), ...(nextCursor !== null && { "x-next-cursor": nextCursor }), ...(next && { link: next }) },
    ctx,
  );
}

function reply({ version, tag }: Answer, media: string, bytes: Uint8Array, own: Readonly<Record<string, string>>, ctx: Context): Reply {
  const cite = `<${datasetPage(ctx.baseUrl, version.datasetSlug)}>; rel="cite-as"`;
  const headers = {
    ...own,
    "content-type": media,
    "cache-control": "private, no-cache",
    etag: `"${createHash("sha256").update(tag).update(media).digest("base64url").slice(0, 32)}"`,
    link: own.link ? `${cite}, ${own.link}` : cite,
  };
  return { status: 200, headers, body: { kind: "bytes", bytes } };
}
