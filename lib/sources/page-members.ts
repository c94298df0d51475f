/** A member of a reply that stands beside or above its records. */
export interface PageMember {
  pointer: string;
  /** The name in lower case, without punctuation: `totalcount` for total_count and totalCount. */
  key: string;
  name: string;
  value: unknown;
}

/** Objects that describe a page, beside or above its records. */
const ENVELOPES = new Set([
  ...["meta", "metadata", "pagination", "paging", "page", "pageinfo", "pages", "info", "summary", "resultset"],
  ...["links", "cursor", "cursors", "header", "responseheader", "params", "query", "pager", "resultinfo"],
]);
const MEMBERS_MAX = 200;
/** How many objects may surround a member inside an envelope. */
const ENVELOPE_DEPTH = 2;
/** A list of at most this many items, one of which has the records, is an envelope too. */
const LIST_MAX = 4;

/**
 * The members that may describe a page, those nearest to the records first: of the objects that surround the records,
 * and of their envelopes, such as `meta`.
 */
export function pageMembers(document: unknown, records: string): PageMember[] {
  const tokens = records.split("/").slice(1);
  const found: PageMember[][] = [];
  let [value, pointer] = [document, ""];
  for (const token of tokens) {
    found.unshift(membersBeside(value, pointer, token));
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(value) || !Object.hasOwn(value, key)) break;
    value = (value as Record<string, unknown>)[key];
    pointer = `${pointer}/${token}`;
  }
  return found.flat();
}

function membersBeside(value: unknown, pointer: string, token: string): PageMember[] {
  if (Array.isArray(value))
    return value.length > LIST_MAX
      ? []
      : value.flatMap((item, at) => (String(at) === token ? [] : membersOf(item, `${pointer}/${at}`, ENVELOPE_DEPTH)));
  return membersOf(value, pointer, ENVELOPE_DEPTH, token);
}

function membersOf(value: unknown, pointer: string, depth: number, records?: string): PageMember[] {
  if (!isObject(value) || Array.isArray(value)) return [];
  const own = Object.entries(value)
    .slice(0, MEMBERS_MAX)
    .map(([name, member]) => {
      const token = name.replaceAll("~", "~0").replaceAll("/", "~1");
      return { pointer: `${pointer}/${token}`, key: keyOf(name), name, value: member as unknown, token };
    })
    .filter(({ token }) => token !== records);
  const inner = own.filter(({ key, value: member }) => depth > 0 && ENVELOPES.has(key) && isPlain(member));
  return [
    ...own.map(({ token: _, ...member }) => member),
    ...inner.flatMap((member) => membersOf(member.value, member.pointer, depth - 1)),
  ];
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const isPlain = (value: unknown): boolean => isObject(value) && !Array.isArray(value);

/** `@odata.count` → `odatacount`. */
export const keyOf = (name: string): string =>
  name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");

/** Members that only a reply in pages has, whatever their value. */
const PAGED = new Set([
  ...["perpage", "pagesize", "totalpages", "pagecount", "numpages", "lastpage", "currentpage", "pagenumber"],
  ...["pageindex", "nextpage", "prevpage", "nextlink", "odatanextlink", "nexturl", "nextpageurl", "hasmore", "hasnext"],
  ...["hasnextpage", "cursor", "nextcursor", "nextpagetoken", "next", "previous", "prev"],
]);
/** Members that a reply in pages has as whole numbers. */
const PAGED_NUMBERS = new Set(["limit", "offset", "skip", "top", "page", "pages", "start", "from", "rows", "size"]);

/** Whether a member shows that a reply is one page of several, or may be. */
export const isPageMember = ({ key, value }: PageMember): boolean =>
  PAGED.has(key) || (PAGED_NUMBERS.has(key) && /^\d{1,15}$/.test(typeof value === "boolean" ? "" : String(value)));
