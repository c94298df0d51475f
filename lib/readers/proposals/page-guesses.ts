import type { PageMember } from "@/lib/sources/page-members";

/** A way in which pages may be requested, and the parameters that would request the second one. */
export interface PagesGuess {
  pages: Record<string, unknown>;
  second: Readonly<Record<string, string>>;
}

interface Reply {
  members: readonly PageMember[];
  /** JSON Pointer of the records. */
  records: string;
  /** Records on the first page. */
  items: number;
}

const GUESSES_MAX = 3;
/** Members that may have the name of the parameter with the position or the size of a page, without case and marks. */
const OFFSETS: readonly string[] = ["offset", "skip", "start", "from", "startindex"];
const SIZES: readonly string[] = ["limit", "perpage", "pagesize", "size", "rows", "take", "top", "pagelimit"];
const PAGES: readonly string[] = ["page", "currentpage", "pagenumber", "pageindex", "pageno", "number"];
/** Members that are called differently than their parameter. */
const RENAMED: Readonly<Record<string, string>> = { currentpage: "page", number: "page" };
const PARTNERS: Readonly<Record<string, string>> = { skip: "limit", start: "rows", from: "size", startindex: "count" };

/** How the next pages of a reply may be requested, judged by its members, the likeliest first. */
export function guessPages({ members, records, items }: Reply): PagesGuess[] {
  const whole = (keys: readonly string[]) =>
    members.find(({ key, value }) => keys.includes(key) && /^\d{1,9}$/.test(textOf(value)));
  const [offset, size, page] = [whole(OFFSETS), whole(SIZES), whole(PAGES)];
  const has = (key: string) => members.some((member) => member.key === key);
  const offsetBy = (name: string, limit: string) => byOffset(name, limit, items);
  const pageBy = (limit: string | undefined, name = "page", start = 1) => byPage({ name, limit, start, items });
  const start = page && textOf(page.value) === "0" ? 0 : 1;
  const all = [
    ...(has("numfound") ? [offsetBy("start", "rows")] : []),
    ...(records.endsWith("/hits/hits") ? [offsetBy("from", "size")] : []),
    ...(has("odatacount") ? [offsetBy("$skip", "$top")] : []),
    ...(offset ? [offsetBy(offset.name, size?.name ?? PARTNERS[offset.key] ?? "limit")] : []),
    ...(page ? [pageBy(size?.name, RENAMED[page.key] ?? page.name, start)] : []),
    ...[pageBy(size?.name), offsetBy("offset", size?.name ?? "limit"), pageBy("per_page")],
  ];
  const different = new Map(all.map((guess) => [JSON.stringify(guess.second), guess]));
  return [...different.values()].slice(0, GUESSES_MAX);
}

const textOf = (value: unknown): string =>
  typeof value === "number" || typeof value === "string" ? String(value) : "";

/** Only what differs from the defaults of `pages`. */
const byOffset = (offset: string, limit: string, size: number): PagesGuess => ({
  pages: { by: "offset", ...(offset !== "offset" && { offset }), ...(limit !== "limit" && { limit }), size },
  second: { [offset]: String(size), [limit]: String(size) },
});

interface NumberedPages {
  name: string;
  limit: string | undefined;
  start: number;
  items: number;
}

const byPage = ({ name, limit, start, items }: NumberedPages): PagesGuess => ({
  pages: {
    ...{ by: "page", ...(name !== "page" && { page: name }), ...(start === 0 && { start }) },
    ...(limit !== undefined && { ...(limit !== "limit" && { limit }), size: items }),
  },
  second: { [name]: String(start + 1), ...(limit !== undefined && { [limit]: String(items) }) },
});
