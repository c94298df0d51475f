import { createHash } from "node:crypto";
import type { Context } from "@/lib/access/context";
import { querySubject } from "@/lib/access/quotas";
import { datasetPage } from "@/lib/describe/links";
import type { QueryPage } from "@/lib/engine/run/reply";
import { JSON_FORMAT, PAGE_FORMATS, type PageFormat } from "@/lib/formats/page-formats";
import { pageWriter } from "@/lib/formats/page-writer";
import { failWith } from "@/lib/kernel/errors";
import type { Reply } from "@/lib/operations/operation";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { aboutQuery, aboutVersions } from "./about-rows";

/** A page with what its reply contains besides the rows. */
export interface Answer {
  page: QueryPage;
  version: TableVersion;
  /** The versions in which columns were looked up. */
  lookups: readonly TableVersion[];
  /** Derived from the versions and the query, including the cursor: equal ones have the same tag. */
  tag: string;
  /** The query as JSON text. */
  query: string;
  /** Whether wide numbers are sent as strings. */
  wideAsText: boolean;
  /** The requested URL. */
  url: string;
  /** What the rows are, in the name of a file; rows of a table if absent. */
  kind?: "changes";
}

/** The page as the JSON document. */
export const replyWithJson = (answer: Answer, ctx: Context): Reply =>
  reply(answer, JSON_FORMAT, JSON_FORMAT.write(answer.page), {}, ctx);

/** The same page in other formats; what JSON has besides its rows is sent in headers. */
export const QUERY_ALTERNATIVES: Readonly<Record<string, (answer: Answer, ctx: Context) => Promise<Reply>>> =
  Object.fromEntries(
    PAGE_FORMATS.map((format) => [format.media, (answer: Answer, ctx: Context) => replyWith(answer, format, ctx)]),
  );

async function replyWith(answer: Answer, format: PageFormat, ctx: Context): Promise<Reply> {
  const { truncated, nextCursor } = answer.page;
  const { datasetSlug, tableSlug, versionId } = answer.version;
  const next =
    nextCursor === null
      ? {}
      : { "x-next-cursor": nextCursor, link: `<${answer.url}?cursor=${encodeURIComponent(nextCursor)}>; rel="next"` };
  const name = `${datasetSlug}-${tableSlug}-${versionId.slice(0, 8)}-${answer.kind ?? "rows"}.${format.extension}`;
  const own = { "x-truncated": String(truncated), "content-disposition": `attachment; filename="${name}"`, ...next };
  const caller = { subject: querySubject(ctx), signal: ctx.signal };
  const source = [
    ...aboutVersions(answer.version, answer.lookups, ctx),
    ...aboutQuery(answer.query, answer.page.returnedRows),
  ];
  const page = { ...answer.page, source };
  return reply(answer, format, await pageWriter().write({ ...answer, page, format }, caller), own, ctx);
}

/** Rejects a query with notes, before it is run, for a format that has no place for them. */
export function requireJson(media: string | undefined): void {
  const format = PAGE_FORMATS.find((each) => each.media === media);
  if (!format) return;
  const message = `Only JSON has notes. Accept application/json, or leave notes out of a query for ${format.label}.`;
  throw failWith([{ pointer: "/notes", code: "invalid_request", message }]);
}

/** A `Link` header that names the datasets of versions to be cited, each once. */
export function citeAs(versions: readonly TableVersion[], { baseUrl }: Pick<Context, "baseUrl">): string {
  const pages = new Set(versions.map(({ datasetSlug }) => datasetPage(baseUrl, datasetSlug)));
  return [...pages].map((page) => `<${page}>; rel="cite-as"`).join(", ");
}

function reply(
  { version, lookups, tag, page: { isCached } }: Answer,
  { media, contentType = media }: PageFormat,
  bytes: Uint8Array,
  own: Readonly<Record<string, string>>,
  ctx: Context,
): Reply {
  const cite = citeAs([version, ...lookups], ctx);
  const headers = {
    ...own,
    "content-type": contentType,
    "cache-control": "private, no-cache",
    ...(isCached && { "server-timing": "cache;desc=hit" }),
    etag: `"${createHash("sha256").update(tag).update(contentType).digest("base64url").slice(0, 32)}"`,
    link: own.link ? `${cite}, ${own.link}` : cite,
  };
  return { status: 200, headers, body: { kind: "bytes", bytes } };
}
