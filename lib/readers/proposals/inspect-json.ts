import { parse, stringify } from "lossless-json";
import { pointerTo } from "@/lib/engine/grammar/grammar-faults";
import { pointed } from "@/lib/sources/pointed";
import { type StatedTotal, totalWords } from "@/lib/sources/stated-total";
import { closedJson } from "./cut-json";
import { type EmptyPage, findEmptyPage } from "./empty-page";
import { findRecords, type RecordsFound } from "./find-records";
import { aboutTexts, licenceHints } from "./licence-hints";
import { findPaging, type PagingFound, statedMore } from "./paging";

export interface JsonFound {
  candidates: RecordsFound[];
  paging?: PagingFound;
  /** Set for a complete reply without records. */
  emptyPage?: EmptyPage;
  /** Set if the source states that there are more records. */
  more?: StatedTotal;
}

interface About {
  isWhole: boolean;
  link?: string | null;
  url?: string;
  /** What the head of the reply states. */
  stated?: StatedTotal;
  /** Whether the source's pages are known already. */
  hasPages?: boolean;
}

const CANDIDATES_SHOWN = 10;
const RAW_RECORDS = 3;
const RAW_CHARACTERS = 500;

/** Finds where the records of a document are, and how its pages follow each other. */
export function inspectJson(text: string, about: About) {
  const { isWhole } = about;
  const plain = text.replace(/^\uFEFF/, "");
  const reader = { format: "json", options: {} };
  const closed = isWhole ? undefined : closedJson(plain);
  const document = parsed(closed ?? plain);
  if (document === undefined) {
    const why = isWhole ? "It is not valid JSON." : "Its beginning is not valid JSON.";
    return { json: { candidates: [] }, reader, warnings: [why], licenceHints: [] };
  }
  const candidates = findRecords(document).slice(0, CANDIDATES_SHOWN);
  const [best] = candidates;
  const empty = best ? [] : emptyLists(document, "", 0);
  const page = isWhole ? pageOf(document, best, empty, about) : {};
  return {
    json: { candidates, ...page },
    ...(closed !== undefined && { closed }),
    ...(best && { rows: best.items, raw: rawRecords(closed ?? plain, best) }),
    reader: { format: "json", options: optionsOf(best) },
    warnings: warningsOf(candidates, about.hasPages ? {} : page, empty),
    licenceHints: licenceHints(aboutTexts(document)),
  };
}

type Page = Pick<JsonFound, "paging" | "emptyPage" | "more">;

/** What a complete reply shows about its pages. */
function pageOf(
  document: unknown,
  best: RecordsFound | undefined,
  empty: readonly string[],
  { link = null, url, stated, hasPages = false }: About,
): Page {
  const reply = { document, items: best?.items ?? 0, records: best?.pointer ?? "", stated };
  const paging = url === undefined || hasPages ? undefined : findPaging({ ...reply, link, url });
  const more = best && statedMore(reply);
  const emptyPage = findEmptyPage(document, empty, link);
  return { ...(paging && { paging }), ...(emptyPage && { emptyPage }), ...(more && { more }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The first records as JSON, with all their digits. */
function rawRecords(text: string, { pointer, shape }: RecordsFound): { n: number; cells: string[] }[] {
  const records = pointed(parse(text), pointer) as object;
  const shown =
    shape === "map" ? Object.entries(records).map(([name, member]) => ({ [name]: member as unknown })) : records;
  return (shown as unknown[]).slice(0, RAW_RECORDS).map((record, at) => ({
    n: at + 1,
    cells: [(stringify(record) ?? "").slice(0, RAW_CHARACTERS).toWellFormed()],
  }));
}

function optionsOf(best: RecordsFound | undefined): Record<string, unknown> {
  const { pointer = "", shape = "array" } = best ?? {};
  const map = shape === "map" ? { shape, key_column: "key" } : {};
  return { ...(pointer !== "" && { records: pointer }), ...map };
}

function warningsOf(
  [best, second]: readonly RecordsFound[],
  { paging, more }: Page,
  empty: readonly string[],
): string[] {
  if (!best) return [["No array of objects was found.", ...emptyWords(empty)].join(" ")];
  const isClose = second !== undefined && second.score >= 0.9 * best.score;
  return [
    ...(isClose ? [`The records could also be at ${JSON.stringify(second.pointer)}.`] : []),
    ...(paging ? [`This is one page of a query (${paging.why}). Without pages, only this page is read.`] : []),
    ...(more && !paging ? [moreWords(more)] : []),
  ];
}

const moreWords = (more: StatedTotal): string =>
  `The source states ${totalWords(more)}, which is more than was read here. A run compares the two, and fails.`;

const EMPTY_DEPTH = 4;

/** JSON Pointers of empty lists. */
function emptyLists(value: unknown, pointer: string, depth: number): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [pointer] : [];
  if (depth > EMPTY_DEPTH || typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .slice(0, 200)
    .flatMap(([name, member]) => emptyLists(member, pointer + pointerTo(name), depth + 1));
}

const emptyWords = (pointers: readonly string[]): string[] =>
  pointers.length === 0
    ? []
    : [
        `Without items: ${pointers
          .slice(0, 3)
          .map((pointer) => JSON.stringify(pointer))
          .join(", ")}. The query may need another parameter or value, such as page and limit.`,
      ];
