import { formatCount } from "@/lib/kernel/format";
import { lastPage, nextLink } from "./link-header";
import { isPageMember, keyOf, type PageMember, pageMembers } from "./page-members";

/** How many records there are, according to the source itself. */
export interface StatedTotal {
  /** 0 if it only says that there are more pages. */
  records: number;
  /** Set if there may be more. */
  isAtLeast?: true;
  /** Set if the reply is not the last page. */
  hasMore?: true;
  /** Set if nothing but the member's name says that it counts records. */
  isDoubtful?: true;
  /** How many pages there are, if the source counts those. */
  pages?: number;
  /** Where the source says so, for people: a JSON Pointer or the name of a header field. */
  at: string;
}

export interface StatingReply {
  /** The reply's document, in which arrays may be empty; undefined if it is no JSON. */
  document?: unknown;
  /** JSON Pointer of its records. */
  records: string;
  /** How many records it has. */
  count: number;
  /** Whether it is known to be one page of several. */
  isPage?: boolean;
}

/** Names that mean nothing but the number of all records; without case, blanks and punctuation. */
const CERTAIN: readonly string[] = [
  ...["recordsfiltered", "recordstotal", "totalcount", "totalrecords", "totalitems", "totalresults", "totalrows"],
  ...["totalelements", "totalentries", "totalhits", "totalfeatures", "totaldocs", "numfound", "numbermatched"],
  ...["numberofresults", "odatacount", "nhits"],
];
/** Names that often count something else, the likeliest first. */
const LIKELY: readonly string[] = [
  "total",
  "found",
  "count",
  "hits",
  "matches",
  "resultcount",
  "recordcount",
  "rowcount",
];
const NAMES = new Set([...CERTAIN, ...LIKELY]);

/** Whether a member with this name may count all records. */
export const isTotalName = (name: string): boolean => NAMES.has(keyOf(name));

/** Whether a member with this name counts pages. */
export const isPagesName = (name: string): boolean => PAGES.includes(keyOf(name));

const PAGES: readonly string[] = ["totalpages", "pages", "pagecount", "numpages", "lastpage", "pagetotal"];
const MORE: readonly string[] = ["hasmore", "hasnext", "hasnextpage", "morepages", "exceededtransferlimit"];
const NEXT: readonly string[] = ["next", "nextlink", "odatanextlink", "nextpage", "nexturl", "nextpageurl"];
/** Some sources send these with the last page too. */
const CURSORS: readonly string[] = ["nextcursor", "nextpagetoken", "nexttoken", "continuationtoken"];
/** Lists that are called this hold the records of a reply and nothing else. */
const LISTS = new Set([
  ...["data", "items", "results", "records", "rows", "docs", "value", "values", "entries", "features", "list"],
  ...["content", "elements", "objects", "hits", "result", "resources"],
]);
const FULL_PAGE_MIN = 10;
const FULL_PAGE_STEP = 5;

/**
 * The number of records that a reply states beside or above its records. Undefined if nothing does, or if what does is
 * no whole number or smaller than the number of records of the reply: then it counts something else.
 */
export function statedTotal(reply: StatingReply): StatedTotal | undefined {
  if (reply.document === undefined) return undefined;
  const members = pageMembers(reply.document, reply.records);
  const certain = best(members, CERTAIN, reply);
  if (certain) return certain;
  const likely = best(members, LIKELY, reply);
  const pages = statedPages(members);
  if (!likely || (pages && likely.records === reply.count)) return pages;
  const isPaged = reply.isPage || members.some(isPageMember) || isFullPage(reply);
  return isPaged || likely.records === reply.count ? likely : { ...likely, isDoubtful: true };
}

function best(
  members: readonly PageMember[],
  names: readonly string[],
  { count }: StatingReply,
): StatedTotal | undefined {
  for (const name of names)
    for (const { key, value, pointer } of members) {
      const records = key === name ? wholeOf(value) : undefined;
      if (records === undefined || records < count) continue;
      return { records, at: pointer, ...(isLowerBound(value) && { isAtLeast: true as const }) };
    }
  return undefined;
}

/** A number of pages, or a next one. */
function statedPages(members: readonly PageMember[]): StatedTotal | undefined {
  const least = { records: 0, isAtLeast: true, hasMore: true } as const;
  const counted = members.find(({ key, value }) => PAGES.includes(key) && (wholeOf(value) ?? 0) > 1);
  if (counted) return { ...least, at: counted.pointer, pages: wholeOf(counted.value) ?? 0 };
  const more = members.find(tellsOfMore);
  if (more) return { ...least, at: more.pointer };
  const cursor = members.find(({ key, value }) => CURSORS.includes(key) && typeof value === "string" && value !== "");
  return cursor && { ...least, at: cursor.pointer, isDoubtful: true };
}

const tellsOfMore = ({ key, value }: PageMember): boolean =>
  (MORE.includes(key) && value === true) || (NEXT.includes(key) && (isAddress(value) || (wholeOf(value) ?? 0) > 1));

const isAddress = (value: unknown): boolean =>
  typeof value === "string" && value.length < 2000 && (/^https?:\/\//.test(value) || value.startsWith("/"));

function isFullPage({ records, count }: StatingReply): boolean {
  const list = records.slice(records.lastIndexOf("/") + 1).toLowerCase();
  return LISTS.has(list) && count >= FULL_PAGE_MIN && count % FULL_PAGE_STEP === 0;
}

const WHOLE = /^\d{1,15}$/;

/** A whole number, its text, or an object with such a `value`, as in Elasticsearch. */
function wholeOf(value: unknown): number | undefined {
  const inner = typeof value === "object" && value !== null && "value" in value ? value.value : value;
  const text = textOf(inner);
  return WHOLE.test(text) ? Number(text) : undefined;
}

/** Lossless numbers show their digits. */
const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "object" ? String(value) : "";

const isLowerBound = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "relation" in value && value.relation === "gte";

/** Header fields with the number of all records. */
const HEADERS: readonly string[] = ["x-total-count", "x-total", "x-wp-total", "x-total-results", "total-count"];

/** The number of records that a reply's head states; for a Link header, that there is another page. */
export function statedInHead(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  link: string | null,
): StatedTotal | undefined {
  for (const name of HEADERS) {
    const text = [headers[name]].flat()[0]?.trim() ?? "";
    if (WHOLE.test(text)) return { records: Number(text), at: `header ${name}` };
  }
  const range = /^(?!bytes)[\w-]{0,40} ?(?:\d{1,15}-\d{1,15}|\*)\/(\d{1,15})$/i.exec(
    [headers["content-range"]].flat()[0]?.trim() ?? "",
  );
  if (range) return { records: Number(range[1]), at: "header content-range" };
  if (nextLink(link) === undefined) return undefined;
  const pages = lastPage(link);
  return { records: 0, isAtLeast: true, hasMore: true, at: "header link", ...(pages !== undefined && { pages }) };
}

/** What was stated, for people: `2345 records at "/meta/total"`. */
export function totalText({ records, isAtLeast, hasMore, pages, at }: StatedTotal): string {
  const place = at.startsWith("/") ? `at ${JSON.stringify(at)}` : `in the ${at.replace(/^header /, "header field ")}`;
  if (pages !== undefined) return `${formatCount(pages)} pages ${place}`;
  if (hasMore) return `a next page ${place}`;
  return `${isAtLeast ? "at least " : ""}${formatCount(records)} records ${place}`;
}
