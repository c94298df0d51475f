import { isLosslessNumber } from "lossless-json";
import { formatCount } from "@/lib/kernel/format";
import type { Pages } from "@/lib/schemas/recipe-source";
import { pointed } from "./pointed";
import type { SourceRead, SourceReading } from "./read-source";

import { SourceFailure } from "./source-failure";
import { type StatedTotal, statedTotal, totalText } from "./stated-total";

export interface PagesReading extends Omit<SourceReading, "path"> {
  pages: Pages;
  /** JSON Pointer to the array of a page's records. */
  records: string;
  /** Whether members and header fields that look like a total are compared with the records read. */
  comparesTotal: boolean;
  /** Path of page `number`, counted from 1. */
  pathOf(number: number): string;
}

/** `pages_overlap`: the same key is on two pages, so rows moved while they were read. */
export interface PagesWarning {
  warning: "pages_overlap" | "pages_short" | "total_exceeded" | "total_doubtful";
  /** A sentence for people. */
  message: string;
}

interface Page {
  document: unknown;
  read: SourceRead;
  /** How many records it has. */
  records: number;
  number: number;
}

/**
 * Compares the records of all pages with what the source states: at `stop.total`, or wherever it is recognised. A
 * source that changes while it is read may state a different total at the end, and the smaller one counts.
 */
export class PageTotals {
  private first: StatedTotal | undefined;
  private last: StatedTotal | undefined;
  private readonly reading: PagesReading;

  constructor(reading: PagesReading) {
    this.reading = reading;
  }

  /** Throws reader_mismatch if the recipe names a total that the first page does not have. */
  add(page: Page): void {
    const stated = this.statedBy(page);
    if (page.number === 1) this.first = stated;
    else if (page.records > 0 && stated?.at === this.first?.at) this.last = stated;
  }

  /** Throws pages_incomplete if pages with these numbers of records are fewer than stated. */
  judge(counts: readonly number[]): PagesWarning[] {
    const stated = smaller(this.first, this.last);
    const isOfPage = this.named === undefined && this.first?.records === counts[0] && counts.length > 1;
    if (!stated || isOfPage) return [];
    const seen = counts.reduce((sum, count) => sum + count, 0);
    const read = `The pages have ${formatCount(seen)} records, but the source states ${totalText(stated)}.`;
    if (isShort(stated, counts.length, seen)) {
      if (stated.isDoubtful) return [{ warning: "total_doubtful", message: `${read} Check whether rows are missing.` }];
      throw new SourceFailure("pages_incomplete", `${read} ${this.advice()}`);
    }
    const isMore = !stated.isAtLeast && !stated.isDoubtful && seen > stated.records;
    return isMore ? [{ warning: "total_exceeded", message: read }] : [];
  }

  private get named(): string | undefined {
    return this.reading.pages.stop.total;
  }

  private advice(): string {
    return this.named === undefined ? NO_TOTAL : "Check the parameters in pages, and start the run again.";
  }

  private statedBy({ document, read, records, number }: Page): StatedTotal | undefined {
    const { comparesTotal, records: pointer } = this.reading;
    if (this.named !== undefined) return namedTotal(document, this.named, number);
    if (!comparesTotal) return undefined;
    const inBody = statedTotal({ document, records: pointer, count: records, isPage: true });
    const stated = inBody && !inBody.hasMore ? inBody : (read.stated ?? inBody);
    return stated?.hasMore && stated.pages === undefined ? undefined : stated;
  }
}

/** What to do about a total that is not reached. */
export const NO_TOTAL =
  "Check the parameters in pages. If this counts something else, set the source's stated_total to ignore.";

/** null counts as unknown. */
function namedTotal(document: unknown, pointer: string, number: number): StatedTotal | undefined {
  const total = pointed(document, pointer);
  if (total === undefined && number === 1)
    throw new SourceFailure("reader_mismatch", `No total at ${pointer} of the first page.`);
  return isLosslessNumber(total) ? { records: Number(total.value), at: pointer } : undefined;
}

const isShort = ({ records, pages }: StatedTotal, pagesRead: number, seen: number): boolean =>
  pages === undefined ? seen < records : pagesRead < pages;

function smaller(first: StatedTotal | undefined, last: StatedTotal | undefined): StatedTotal | undefined {
  if (!first || !last) return first;
  return (last.pages ?? last.records) < (first.pages ?? first.records) ? last : first;
}
