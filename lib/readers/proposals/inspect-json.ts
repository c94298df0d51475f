import { pointerTo } from "@/lib/engine/grammar/pointer";
import { formatPlural } from "@/lib/kernel/format";
import { ReadFailure } from "@/lib/readers/failure";
import { readValue } from "@/lib/readers/json/json-members";
import { JsonScan } from "@/lib/readers/json/json-scan";
import { tokensOf, WANTED } from "@/lib/readers/json/read-json";
import { nextLink } from "@/lib/sources/link-header";
import { isPagesName, isTotalName, type StatedTotal, totalText } from "@/lib/sources/stated-total";
import { closedJson } from "./cut-json";
import { findRecords, isTransposed, type RecordsFound } from "./find-records";
import { aboutTexts, licenceHints } from "./licence-hints";
import {
  findMembers,
  findPaging,
  HAS_MORE,
  isAddress,
  NEXT,
  OFFSETS,
  type PagingFound,
  SIZES,
  statedMore,
} from "./paging";

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
  const closed = isWhole ? plain : (closedJson(plain) ?? plain);
  const document = parsed(closed);
  if (document === undefined) {
    const why = isWhole ? "It is not valid JSON." : "Its beginning is not valid JSON.";
    return { json: { candidates: [] }, reader, warnings: [why], licenceHints: [] };
  }
  const candidates = findRecords(document).slice(0, CANDIDATES_SHOWN);
  const [best] = candidates;
  const hints = { licenceHints: licenceHints(aboutTexts(document)) };
  if (!best) return { ...withoutRecords(document, about), ...hints };
  const page = isWhole ? pageOf(document, best, [], about) : {};
  return {
    json: { candidates, ...page },
    ...{ rows: best.items, raw: rawRecords(closed, best) },
    reader: { format: "json", options: optionsOf(best) },
    warnings: warningsOf(best, candidates, { ...(about.hasPages ? {} : page), isWhole }),
    ...hints,
  };
}

/** A document without a list of records: an empty page, or a single record. */
function withoutRecords(document: unknown, about: About) {
  const empty = emptyLists(document, "", 0);
  const page = about.isWhole ? pageOf(document, undefined, empty, about) : {};
  const remark = empty.length === 0 ? singleRemark(document) : undefined;
  return {
    json: { candidates: [], ...page },
    reader: { format: "json", options: remark === undefined ? {} : { shape: "single" } },
    warnings: [remark ?? ["No array of objects was found.", ...emptyText(empty)].join(" ")],
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
  const raw: { n: number; cells: string[] }[] = [];
  const scan = new JsonScan(tokensOf(pointer), WANTED[shape], (record, key, n) => {
    if (raw.length >= RAW_RECORDS) return;
    const shown = `${key === null ? "" : `${JSON.stringify(key)}:`}${readValue(record).text}`;
    raw.push({ n, cells: [shown.slice(0, RAW_CHARACTERS).toWellFormed()] });
  });
  try {
    scan.push(text);
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
  }
  return raw;
}

/** What to say of a document that is one record; undefined if it is none. */
function singleRemark(document: unknown): string | undefined {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return undefined;
  const members = Object.entries(document) as [string, unknown][];
  if (members.length === 0 || members.some(([name]) => /^errors?$/i.test(name))) return undefined;
  const objects = members.flatMap(([, member]) => (typeof member === "object" && member !== null ? [member] : []));
  const isTable = objects.length === members.length && objects.length > 1 && isTransposed(objects);
  return isTable
    ? "The members of the document are columns by the numbers of their rows, as pandas writes them with " +
        "orient=columns. Write it again with orient=records."
    : "The document is one object, which is read as one record.";
}

function optionsOf({ pointer, shape, names, width = 0 }: RecordsFound): Record<string, unknown> {
  const records = pointer === "" ? {} : { records: pointer };
  if (shape === "array") return records;
  if (shape === "map") return { ...records, shape, key_column: "key" };
  if (shape === "columns") return { ...records, shape };
  return names === undefined ? { ...records, fields: numberedFields(width) } : { ...records, shape, names };
}

const numberedFields = (width: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: width }, (_, at) => [`column_${at + 1}`, `/${at}`]));

interface Around extends Page {
  isWhole: boolean;
}

function warningsOf(best: RecordsFound, all: readonly RecordsFound[], { paging, more, isWhole }: Around): string[] {
  const others = all.filter((each) => each !== best && each.items >= RIVAL_SHARE * best.items);
  const rivals = others.slice(0, RIVALS_SHOWN);
  return [
    ...(rivals.length > 0
      ? [`The records could also be at ${rivals.map(counted).join(" or ")}. Proposed: ${counted(best)}.`]
      : []),
    ...(!isWhole && best.pointer !== ""
      ? [`Only the start of the document was searched. Records after those at ${quoted(best)} would not be seen.`]
      : []),
    ...(best.shape === "rows" ? [rowsWarning(best)] : []),
    ...(paging ? [`This is one page of a query (${paging.why}). Without pages, only this page is read.`] : []),
    ...(more && !paging ? [moreText(more)] : []),
  ];
}

function rowsWarning({ names, width, ...best }: RecordsFound): string {
  const records = `The records at ${quoted(best)} are lists of up to ${width} values`;
  return names === undefined
    ? `${records}, and no list of as many names was found. Name the columns in fields; shorter lists give nulls.`
    : `${records}, whose names are taken from ${JSON.stringify(names)}.`;
}

/** A smaller share of the best candidate's items is more likely about the records. */
const RIVAL_SHARE = 0.1;
const RIVALS_SHOWN = 5;

const quoted = ({ pointer }: RecordsFound): string => (pointer === "" ? "the root" : JSON.stringify(pointer));
const counted = (found: RecordsFound): string => `${quoted(found)} (${formatPlural(found.items, "item")})`;

const moreText = (more: StatedTotal): string =>
  `The source states ${totalText(more)}, which is more than was read here. A run compares the two, and fails.`;

const EMPTY_DEPTH = 4;

/** JSON Pointers of empty lists. */
function emptyLists(value: unknown, pointer: string, depth: number): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [pointer] : [];
  if (depth > EMPTY_DEPTH || typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .slice(0, 200)
    .flatMap(([name, member]) => emptyLists(member, pointer + pointerTo(name), depth + 1));
}

const emptyText = (pointers: readonly string[]): string[] =>
  pointers.length === 0
    ? []
    : [
        `Without items: ${pointers
          .slice(0, 3)
          .map((pointer) => JSON.stringify(pointer))
          .join(", ")}. The query may need another parameter or value, such as page and limit.`,
      ];

/** A reply without records that indicates that there are records: its query needs pagination parameters. */
interface EmptyPage {
  /** What in the reply indicates this, for people. */
  why: string;
  /** Names of such parameters that are members of the reply. */
  named: string[];
}

/** Undefined if nothing indicates records, or if the document has no empty list. */
function findEmptyPage(document: unknown, empty: readonly string[], link: string | null): EmptyPage | undefined {
  const [list] = empty;
  if (list === undefined) return undefined;
  const members = findMembers(document);
  const named = members
    .map(({ name }) => name)
    .filter((name) => name === "page" || OFFSETS.includes(name) || SIZES.includes(name));
  const hint = members.find(({ name, value }) => impliesRecords(name.toLowerCase(), value));
  if (!hint && nextLink(link) === undefined) return undefined;
  const why = hint ? `${JSON.stringify(hint.pointer)} is ${shown(hint.value)}` : "a Link header names a next page";
  return { why: `${JSON.stringify(list)} is empty, although ${why}`, named: [...new Set(named)] };
}

function impliesRecords(name: string, value: unknown): boolean {
  if (isTotalName(name) || isPagesName(name)) return typeof value === "number" && value > 0;
  return HAS_MORE.has(name) ? value === true : NEXT.has(name) && isAddress(value);
}

const shown = (value: unknown): string => (typeof value === "string" ? "a URL" : String(value));
