import { LosslessNumber, parse } from "lossless-json";
import type { ViewColumn } from "@/lib/view/view";

/** What a reply contains around its rows. */
export interface AnswerFacts {
  queryId: string;
  versionId: string;
  /** `sha256:` and 64 hex digits. */
  digest: string;
  publishedAt: string;
  rows: number;
  scannedBytes: number;
  elapsedMs: number;
  truncated: boolean;
  /** All rows or groups that the view has, where the query asked for their number. */
  total?: number | undefined;
  /** What in the result could mislead, where the query asked for it. */
  notes?: readonly AnswerNote[] | undefined;
}

export interface AnswerNote {
  code: string;
  /** The part of the query that it is about. */
  pointer: string;
  message: string;
  /** Values that were perhaps meant. */
  values?: readonly string[];
}

/** A reply whose rows are still text: only visible rows are ever parsed, each with all its digits. */
export interface ReplyPage {
  facts: AnswerFacts;
  columns: ViewColumn[];
  rows: string[];
  nextCursor: string | null;
}

interface Around {
  query_id: string;
  table: { version_id: string; content_digest: string; published_at: string };
  columns: ViewColumn[];
  execution: {
    returned_rows: number;
    scanned_bytes: number;
    elapsed_ms: number;
    truncated: boolean;
    total_rows?: number;
    notes?: readonly AnswerNote[];
  };
  next_cursor: string | null;
}

const ROWS_OPEN = '"rows":[';
const ROWS_CLOSE = '],"execution":{';

/** Splits a reply without parsing its rows: the service writes one per line, and rows contain no line breaks. */
export function readReply(text: string): ReplyPage {
  const open = text.indexOf(ROWS_OPEN) + ROWS_OPEN.length;
  const close = text.lastIndexOf(ROWS_CLOSE);
  if (open < ROWS_OPEN.length || close < open) throw new SyntaxError("Not a reply to a query.");
  const { query_id, table, columns, execution, next_cursor } = JSON.parse(
    text.slice(0, open) + text.slice(close),
  ) as Around;
  const lines = text.slice(open, close);
  return {
    facts: {
      queryId: query_id,
      versionId: table.version_id,
      digest: table.content_digest,
      publishedAt: table.published_at,
      rows: execution.returned_rows,
      scannedBytes: execution.scanned_bytes,
      elapsedMs: execution.elapsed_ms,
      truncated: execution.truncated,
      total: execution.total_rows,
      notes: execution.notes,
    },
    columns,
    rows: lines === "" ? [] : lines.split(",\n"),
    nextCursor: next_cursor,
  };
}

/** One row; its numbers are LosslessNumber. */
export const readRow = (text: string): Readonly<Record<string, unknown>> => parse(text) as Record<string, unknown>;

/** JSON whose short whole numbers are numbers, and all others LosslessNumber. */
export const readDigits = (text: string): unknown =>
  parse(text, undefined, (digits) => (/^-?\d{1,15}$/.test(digits) ? Number(digits) : new LosslessNumber(digits)));
