import { createHash } from "node:crypto";
import type { Context } from "@/lib/access/context";
import { datasetPage } from "@/lib/describe/links";
import type { QueryPage } from "@/lib/engine/run/query";
import { toArrow } from "@/lib/formats/arrow";
import { toParquet } from "@/lib/formats/parquet";
import { toCsv, toNdjson } from "@/lib/formats/text";
import type { Reply } from "@/lib/operations/operation";
import type { TableVersion } from "@/lib/store/tables";

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
export const replyWithJson = (answer: Answer, ctx: Context): Reply =>
  reply(answer, "application/json; charset=utf-8", answer.page.body, {}, ctx);

/** Forms beside JSON: how a page is written, and how its file is called. */
const FORMS: Readonly<
  Record<string, { contentType?: string; extension: string; write(page: QueryPage, wideAsText: boolean): Uint8Array }>
> = {
  "text/csv": { contentType: "text/csv; charset=utf-8; header=present", extension: "csv", write: toCsv },
  "application/x-ndjson": { contentType: "application/x-ndjson; charset=utf-8", extension: "ndjson", write: toNdjson },
  "application/vnd.apache.arrow.stream": { extension: "arrows", write: toArrow },
  "application/vnd.apache.parquet": { extension: "parquet", write: toParquet },
};

/** The same page in other forms; what JSON says around its rows stands in headers. */
export const QUERY_ALTERNATIVES: Readonly<Record<string, (answer: Answer, ctx: Context) => Reply>> = Object.fromEntries(
  Object.entries(FORMS).map(([media, { contentType = media, extension, write }]) => [
    media,
    (answer: Answer, ctx: Context) =>
      replyWith(answer, { contentType, extension }, write(answer.page, answer.wideAsText), ctx),
  ]),
);

function replyWith(
  answer: Answer,
  { contentType, extension }: { contentType: string; extension: string },
  bytes: Uint8Array,
  ctx: Context,
): Reply {
  const { truncated, nextCursor } = answer.page;
  const { datasetSlug, tableSlug, versionId } = answer.version;
  const next =
    nextCursor === null
      ? {}
      : { "x-next-cursor": nextCursor, link: `<${answer.url}?cursor=${encodeURIComponent(nextCursor)}>; rel="next"` };
  const disposition = `attachment; filename="${datasetSlug}-${tableSlug}-${versionId.slice(0, 8)}-rows.${extension}"`;
  return reply(
    answer,
    contentType,
    bytes,
    { "x-truncated": String(truncated), "content-disposition": disposition, ...next },
    ctx,
  );
}

function reply(
  { version, tag }: Answer,
  media: string,
  bytes: Uint8Array,
  own: Readonly<Record<string, string>>,
  ctx: Context,
): Reply {
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
