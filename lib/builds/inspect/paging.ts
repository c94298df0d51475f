import { nextLink } from "@/lib/sources/link-header";

/** How a source seems to page, as `pages` of a source takes it, and what says so. */
export interface PagingFound {
  pages: Record<string, unknown>;
  why: string;
}

export interface Paged {
  /** Of the reply; null where there is none. */
  link: string | null;
  /** The first page's document. */
  document: unknown;
  /** As it was asked. */
  url: string;
  /** Records on the first page. */
  items: number;
}

type Found = { pointer: string; value: unknown };

const DEPTH_MAX = 2;
const MEMBERS_MAX = 100;
const NEXT = new Set(["next", "nextlink", "@odata.nextlink", "next_page", "next_url", "nextpageurl", "next_page_url"]);
const CURSOR = new Set(["cursor", "next_cursor", "nextcursor", "nextpagetoken", "next_page_token", "continuation"]);
const TOTAL = new Set(["total", "count", "found", "total_count", "totalcount", "totalresults", "total_results"]);
const MORE = new Set(["has_more", "hasmore", "has_next", "hasnext"]);
const OFFSETS = ["offset", "skip", "start", "$offset", "$skip"];
const SIZES = ["limit", "per_page", "page_size", "pagesize", "size", "$limit", "$top"];
const SEND: Readonly<Record<string, string>> = { nextpagetoken: "pageToken", next_page_token: "page_token" };

/** How the pages of a query follow each other; undefined where nothing tells. */
export function findPaging({ link, document, url, items }: Paged): PagingFound | undefined {
  const members = shallow(document, "", 0);
  const stop = stopOf(members, items);
  if (nextLink(link) !== undefined)
    return { pages: { by: "link_header", ...stop }, why: "a Link header with rel=next" };
  const next = members.find(({ pointer, value }) => NEXT.has(lastOf(pointer)) && isAddress(value));
  if (next) return { pages: { by: "next_url", path: next.pointer, ...stop }, why: `an address at ${next.pointer}` };
  const cursor = members.find(({ pointer, value }) => CURSOR.has(lastOf(pointer)) && isToken(value));
  if (cursor) {
    const query = SEND[lastOf(cursor.pointer)] ?? "cursor";
    const pages = { by: "cursor", path: cursor.pointer, send: { query }, ...stop };
    return { pages, why: `a cursor at ${cursor.pointer}; check which parameter takes it` };
  }
  return byNumbers(new URL(url), stop, items);
}

/** Parameters of the address that number pages or records. */
function byNumbers({ searchParams }: URL, stop: object, items: number): PagingFound | undefined {
  const limit = SIZES.find((name) => searchParams.has(name));
  const given = limit === undefined ? Number.NaN : Number(searchParams.get(limit));
  const size = Number.isInteger(given) && given >= 1 && given <= 10_000 ? given : items;
  const offset = OFFSETS.find((name) => searchParams.has(name));
  const sized = { ...(limit !== undefined && limit !== "limit" && { limit }), size, ...stop };
  if (size < 1) return undefined;
  const page = { ...(limit === undefined ? stop : sized), ...(searchParams.get("page") === "0" && { start: 0 }) };
  if (searchParams.has("page"))
    return { pages: { by: "page", ...page }, why: "the parameter page; without it in url, pages sets it" };
  const named = { ...(offset !== undefined && offset !== "offset" && { offset }), ...sized };
  if (offset !== undefined || limit !== undefined)
    return { pages: { by: "offset", ...named }, why: `the parameter ${offset ?? limit} of the address` };
  return undefined;
}

function stopOf(members: readonly Found[], items: number): object {
  const total = members.find(({ pointer, value }) => TOTAL.has(lastOf(pointer)) && Number(value) >= items);
  const more = members.find(({ pointer, value }) => MORE.has(lastOf(pointer)) && typeof value === "boolean");
  const stop = { ...(total && { total: total.pointer }), ...(more && { has_more: more.pointer }) };
  return Object.keys(stop).length > 0 ? { stop } : {};
}

/** Members that are no records: of the document, and of objects in it. */
function shallow(value: unknown, pointer: string, depth: number): Found[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > DEPTH_MAX) return [];
  return Object.entries(value)
    .slice(0, MEMBERS_MAX)
    .flatMap(([name, member]) => {
      const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return [{ pointer: at, value: member as unknown }, ...shallow(member, at, depth + 1)];
    });
}

const lastOf = (pointer: string): string => pointer.slice(pointer.lastIndexOf("/") + 1).toLowerCase();

const isAddress = (value: unknown): boolean =>
  typeof value === "string" && value.length < 2000 && (/^https?:\/\//.test(value) || value.startsWith("/"));

const isToken = (value: unknown): boolean =>
  (typeof value === "string" && value !== "" && value.length < 500) || (typeof value === "number" && value > 0);
