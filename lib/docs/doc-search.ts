import type { Block, DocTab } from "./doc";
import { docPath } from "./page-list";
import { plainText } from "./plain-text";

/** A part of the docs that can be found: a page, or the content below one of its headings. */
export interface DocPart {
  page: string;
  /** Absent for content above the first heading. */
  heading?: string;
  href: string;
  text: string;
}

export interface Found extends DocPart {
  /** An excerpt of its text, from where the first word was found. */
  excerpt: string;
}

const FOUND_MAX = 25;
const EXCERPT = 180;
/** The minimum number of words for which a part may lack one of them. */
const SOME_FROM = 3;
const COMMON_WORDS: ReadonlySet<string> = new Set(
  "a an all and are as at be can do does for from how i in into is it its my of on or the to what where with".split(
    " ",
  ),
);
const WEIGHTS = { page: 5, heading: 8, text: 1 } as const;

/** The parts of a page. Pure. */
export function partsOf(page: { slug: string; title: string; summary: string; blocks: readonly Block[] }): DocPart[] {
  const parts: DocPart[] = [{ page: page.title, href: docPath(page.slug), text: page.summary }];
  for (const block of page.blocks) {
    if (block.kind === "heading")
      parts.push({
        page: page.title,
        heading: plainText(block.title),
        href: `${docPath(page.slug)}#${block.id}`,
        text: "",
      });
    const part = parts.at(-1);
    if (part) part.text = `${part.text} ${wordsOf(block)}`.trim();
    if (block.kind === "tabs") parts.push(...block.tabs.map((tab) => tabPart(page, block, tab)));
    if (block.kind === "table") parts.push(...block.rows.flatMap((row) => rowPart(page, block.head, row)));
  }
  return parts;
}

/** A tab is found separately, and is open where the link leads. */
function tabPart(
  page: { slug: string; title: string },
  { parameter }: { parameter: string },
  { id, title, blocks }: DocTab,
): DocPart {
  return {
    page: page.title,
    heading: title,
    href: `${docPath(page.slug)}?${parameter}=${id}`,
    text: blocks.map(wordsOf).join(" ").trim(),
  };
}

/** Rows with their own anchor are found separately. */
function rowPart(
  page: { slug: string; title: string },
  head: readonly string[],
  { id, cells }: { id?: string; cells: readonly string[] },
): DocPart[] {
  if (id === undefined) return [];
  return [
    {
      page: page.title,
      heading: plainText(cells[0] ?? id),
      href: `${docPath(page.slug)}#${id}`,
      text: plainText(cells.flatMap((cell, at) => (at > 0 ? [`${head[at]}: ${cell}`] : [])).join(" · ")),
    },
  ];
}

function wordsOf(block: Block): string {
  switch (block.kind) {
    case "text":
    case "note":
      return plainText(block.text);
    case "list":
      return plainText(block.items.join(" "));
    case "table":
      return plainText(block.rows.map(({ cells }) => cells.join(" ")).join(" "));
    case "fields":
      return plainText(block.fields.map(({ name, text }) => `${name} ${text}`).join(" "));
    case "code":
      return block.label;
    case "samples":
      return block.samples.map(({ label }) => label).join(" ");
    default:
      return "";
  }
}

/**
 * The parts that contain every word of `q` as a prefix; if none does and there are three words or more, the parts that
 * contain most of them. Names and headings weigh more than text; stop words are ignored if there are other words. Pure.
 */
export function searchParts(parts: readonly DocPart[], q: string): Found[] {
  const typed = (q.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, 8);
  const telling = typed.filter((word) => !COMMON_WORDS.has(word));
  const words = telling.length > 0 ? telling : typed;
  if (words.length === 0) return [];
  const ranked = parts.map((part) => {
    const scores = words.map((word) => scoreOf(part, word));
    const held = scores.filter((score) => score > 0).length;
    return { part, held, score: scores.reduce((sum, score) => sum + score, 0) };
  });
  const most = Math.max(0, ...ranked.map(({ held }) => held));
  if (most < words.length && (words.length < SOME_FROM || most * 2 <= words.length)) return [];
  const best = ranked.filter(({ held }) => held === most);
  best.sort((a, b) => b.score - a.score || a.part.text.length - b.part.text.length);
  return best.slice(0, FOUND_MAX).map(({ part }) => ({ ...part, excerpt: excerptOf(part.text, words) }));
}

function scoreOf(part: DocPart, word: string): number {
  const begins = (text = "") => startOf(text, word) >= 0;
  const title = part.heading ?? part.page; // the top of a page is found by its name
  const exact = title.toLowerCase() === word ? WEIGHTS.heading : 0;
  return (
    exact +
    (begins(title) ? WEIGHTS.heading : 0) +
    (begins(part.page) ? WEIGHTS.page : 0) +
    (begins(part.text) ? WEIGHTS.text : 0)
  );
}

/** Where a word begins with `word`, or is a single letter, or -1. */
function startOf(text: string, word: string): number {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1))
    if (!isWordPart(lower[at - 1]) && (word.length > 1 || !isWordPart(lower[at + 1]))) return at;
  return -1;
}

const isWordPart = (character = " "): boolean => /[\p{L}\p{N}]/u.test(character);

function excerptOf(text: string, words: readonly string[]): string {
  const found = words.map((word) => startOf(text, word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...(found.length > 0 ? found : [0])) - 50);
  const start = from === 0 ? 0 : text.indexOf(" ", from) + 1;
  const cut = text.slice(start, start + EXCERPT);
  return `${start > 0 ? "… " : ""}${cut}${start + EXCERPT < text.length ? " …" : ""}`;
}
