import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isLosslessNumber, parse, stringify } from "lossless-json";
import { formatCount } from "@/lib/kernel/format";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { Pages, Send } from "@/lib/schemas/recipe-source";
import { nextLink } from "./link-header";
import { type PagesReading, type PagesWarning, PageTotals } from "./page-totals";

import { pointed } from "./pointed";
import { type ReadingContext, readSource, type SourceRead } from "./read-source";
import { type Asked, withSent } from "./send-value";
import { SourceFailure } from "./source-failure";

export interface PagesRead {
  /** The pages in order, each with its own digest. */
  pages: (SourceRead & { path: string; records: number })[];
  /** Anomalies that are not failures. */
  warnings: PagesWarning[];
}

interface PageState {
  records: readonly unknown[];
  document: unknown;
  read: SourceRead;
  number: number;
  seen: number;
}

/**
 * Reads all pages of a query. An empty page always ends it. A page equal to an earlier one is a failure, and so are
 * fewer records than the source states.
 */
export async function readPages(reading: PagesReading, context: ReadingContext): Promise<PagesRead> {
  const found: PagesRead = { pages: [], warnings: [] };
  let [asked, seen]: [Asked | undefined, number] = [firstPage(reading), 0];
  let bytesLeft = reading.limits.bytes;
  const keys = new PageKeys(reading.pages.unique_key);
  const repeats = new PageRepeats();
  const totals = new PageTotals(reading);
  for (let number = 1; asked !== undefined; number += 1) {
    if (number > reading.pages.max) throw tooMany(reading.pages.max, seen);
    if (number > 1) await context.wait(reading.pages.delay_ms);
    const { read, document, path } = await readPage(reading, asked, { number, bytesLeft }, context);
    bytesLeft -= read.bytes;
    const records = recordsOf(document, reading.records);
    repeats.add(number, records);
    seen += records.length;
    keys.add(records);
    totals.add({ document, read, records: records.length, number });
    if (records.length > 0) found.pages.push({ ...read, path, records: records.length });
    asked = isLast(reading.pages, document, records)
      ? undefined
      : nextPage(reading, asked, { records, document, read, number, seen });
  }
  if (keys.overlaps) found.warnings.push(OVERLAP);
  const counts = found.pages.map(({ records }) => records);
  return { ...found, warnings: [...found.warnings, ...shortPages(reading.pages, counts), ...totals.judge(counts)] };
}

const OVERLAP: PagesWarning = {
  warning: "pages_overlap",
  message: "The same key is on two pages: rows moved while they were read. Read again, or use the step dedupe.",
};

const tooMany = (max: number, records: number): SourceFailure =>
  new SourceFailure(
    "pages_incomplete",
    `The source has more than ${max} pages; ${records} records were read. Raise pages.max, or request larger pages.`,
  );

async function readPage(
  reading: PagesReading,
  asked: Asked,
  { number, bytesLeft }: { number: number; bytesLeft: number },
  context: ReadingContext,
) {
  const path = reading.pathOf(number);
  const body = asked.body === undefined ? {} : { body: stringify(asked.body) ?? "" };
  const limits = { ...reading.limits, bytes: Math.max(1, bytesLeft), mayCut: false };
  const call = { ...reading, ...body, url: asked.url, path, limits, isPage: true, accept: "application/json" };
  const read = await readSource(call, context);
  try {
    return { read, path, document: parse(await readFile(path, "utf8")) };
  } catch {
    throw new SourceFailure("reader_mismatch", `Page ${number} is not JSON.`);
  }
}

function recordsOf(document: unknown, pointer: string): readonly unknown[] {
  const records = pointed(document, pointer);
  if (Array.isArray(records)) return records;
  if (records === null || records === undefined) return [];
  throw new SourceFailure("reader_mismatch", `No array at ${pointer === "" ? "the root" : pointer} of a page.`);
}

function isLast(pages: Pages, document: unknown, records: readonly unknown[]): boolean {
  if (records.length === 0) return true;
  const { has_more, short_page } = pages.stop;
  if (short_page && "size" in pages && pages.size !== undefined && records.length < pages.size) return true;
  if (has_more === undefined) return false;
  const more = pointed(document, has_more);
  if (more === undefined) throw new SourceFailure("reader_mismatch", `Nothing at ${has_more} of a page.`);
  return more === false || more === null;
}

/** The request for the first page. */
export function firstPage({ url, body, pages }: Pick<PagesReading, "url" | "body" | "pages">): Asked {
  const asked = { url, body: body === undefined ? undefined : parse(body) };
  if (pages.by === "offset") return numbered(asked, { [pages.offset]: pages.start, [pages.limit]: pages.size });
  if (pages.by !== "page") return asked;
  return numbered(asked, { [pages.page]: pages.start, ...(pages.size !== undefined && { [pages.limit]: pages.size }) });
}

/** The request for the next page; undefined after the last one. */
function nextPage({ pages, url }: PagesReading, asked: Asked, state: PageState): Asked | undefined {
  switch (pages.by) {
    case "offset":
      return numbered(asked, { [pages.offset]: pages.start + state.number * pages.size });
    case "page":
      return numbered(asked, { [pages.page]: pages.start + state.number });
    case "link_header":
      return sameOrigin(nextLink(state.read.link), asked, url);
    case "next_url":
      return sameOrigin(textOf(pointed(state.document, pages.path)), asked, url);
    case "cursor":
      return withValue(asked, pages.send, textOf(pointed(state.document, pages.path)));
    case "key":
      return withValue(asked, pages.send, textOf(pointed(state.records.at(-1), pages.path)));
  }
}

function textOf(value: unknown): string | undefined {
  if (isLosslessNumber(value)) return value.value;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numbered(asked: Asked, values: Readonly<Record<string, number>>): Asked {
  const url = new URL(asked.url);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, String(value));
  return { ...asked, url: url.href };
}

function sameOrigin(next: string | undefined, asked: Asked, first: string): Asked | undefined {
  if (next === undefined) return undefined;
  const url = URL.canParse(next, asked.url) ? new URL(next, asked.url) : undefined;
  if (url?.origin === new URL(first).origin) return { ...asked, url: url.href };
  throw new SourceFailure("source_refused", "The next page is at another origin.");
}

const withValue = (asked: Asked, send: Send, value: string | undefined): Asked | undefined =>
  value === undefined ? undefined : withSent(asked, send, value);

/** Maximum number of keys remembered, at 16 bytes each. */
const KEYS_MAX = 1_000_000;

/** Detects a record's key on two pages. Keys are kept as digests, so that long ones take no more memory. */
class PageKeys {
  overlaps = false;
  private readonly before = new Set<string>();
  private readonly pointers: readonly string[] | undefined;

  constructor(pointers: readonly string[] | undefined) {
    this.pointers = pointers;
  }

  /** Adds one page's records. A key that occurs twice on the same page is not reported. */
  add(records: readonly unknown[]): void {
    const { pointers } = this;
    if (pointers === undefined || this.overlaps) return;
    const keys = records.map((record) => digestOf(pointers.map((pointer) => pointed(record, pointer) ?? null)));
    this.overlaps = keys.some((key) => this.before.has(key));
    for (const key of keys) if (this.before.size < KEYS_MAX) this.before.add(key);
  }
}

const digestOf = (key: unknown): string =>
  createHash("sha256")
    .update(stringify(key) ?? "")
    .digest("base64")
    .slice(0, 22);

/** Detects a page with the records of an earlier page, not only of the one before it. */
class PageRepeats {
  private readonly pages = new Map<string, number>();

  /** Throws pages_repeat. Empty pages are alike. */
  add(number: number, records: readonly unknown[]): void {
    if (records.length === 0) return;
    const digest = sha256Hex(stringify(records) ?? "");
    const before = this.pages.get(digest);
    if (before !== undefined)
      throw new SourceFailure(
        "pages_repeat",
        `Page ${number} has the same ${records.length === 1 ? "record" : "records"} as page ${before}. Check the ` +
          "names and values of the parameters in pages: the source may ignore them.",
      );
    this.pages.set(digest, number);
  }
}

const PAGES_SHOWN = 5;

/**
 * Pages before the last one that have fewer records than another page, or than were requested. Offsets that advance by
 * more records than every page has would leave rows out between the pages, which is a failure.
 */
function shortPages(pages: Pages, counts: readonly number[]): PagesWarning[] {
  const size = "size" in pages ? pages.size : undefined;
  const inner = counts.slice(0, -1);
  const [first] = inner;
  if (pages.by === "offset" && first !== undefined && first < pages.size && inner.every((count) => count === first))
    throw new SourceFailure(
      "pages_incomplete",
      `Every page has ${first} records, but offsets advance by ${pages.size}, which leaves rows out between pages. ` +
        `Set size to ${first}.`,
    );
  const full = counts.reduce((most, count) => Math.max(most, count), size ?? 0);
  const isCapped = size !== undefined && inner.every((count) => count === first);
  const short = isCapped ? [] : inner.flatMap((count, at) => (count < full ? [{ page: at + 1, count }] : []));
  if (short.length === 0) return [];
  const shown = short.slice(0, PAGES_SHOWN).map(({ page, count }) => `page ${page} has ${formatCount(count)}`);
  const more = short.length > PAGES_SHOWN ? `, and ${formatCount(short.length - PAGES_SHOWN)} more` : "";
  return [
    {
      warning: "pages_short",
      message:
        `Of ${formatCount(counts.length)} pages, ${formatCount(short.length)} before the last ` +
        `${short.length === 1 ? "is" : "are"} short of ${formatCount(full)} records: ${shown.join(", ")}${more}. ` +
        "Compare the number of rows with the source.",
    },
  ];
}
