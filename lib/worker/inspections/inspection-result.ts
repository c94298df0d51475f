import type { ColumnFound } from "@/lib/readers/proposals/column-found";
import type { SourceFound } from "@/lib/sandbox/events";
import type { InspectionFound } from "@/lib/schemas/inspection";
import { cleanText } from "@/lib/worker/runs/run-failure";

import type { FetchedHead } from "./inspection-head";

/** What an inspection requests, as it is stored. */
export interface InspectionRequest {
  /** With a default reader if none was given. */
  source: Record<string, unknown>;
  depth: "quick" | "full";
  reader: { format: string; options: Record<string, unknown> } | null;
}

const COLUMNS_SHOWN = 500;

/** The findings in their wire form. Text from the source is cut and stripped of control characters. */
export function presentFound(found: SourceFound, head: FetchedHead, request: InspectionRequest): InspectionFound {
  const { format, encoding, dialect, sheets, json, raw, reader, isTried, table } = found;
  const columns = (found.columns ?? []).slice(0, COLUMNS_SHOWN);
  return {
    transport: transportOf(head),
    containers: found.containers.map(({ kind, members, chosen }) => ({
      kind,
      members: members.map(({ name, bytes }) => ({ name: cleanText(name), bytes })),
      chosen: chosen === null ? null : cleanText(chosen),
    })),
    format,
    ...(encoding && {
      encoding: { ...encoding, why: cleanText(encoding.why), others: encoding.others.map(cleanLine) },
    }),
    ...(dialect && { dialect: dialectOf(dialect) }),
    ...(sheets && {
      sheets: sheets.map(({ isHidden, name, ...size }) => ({ name: cleanText(name), hidden: isHidden, ...size })),
    }),
    ...(json && { json: jsonOf(json) }),
    ...(raw && { raw: raw.map(({ n, cells }) => ({ n, cells: cells.map(cleanText) })) }),
    columns: columns.map(columnOf),
    rows: rowsOf(found, head),
    tried: isTried,
    ...(reader && { reader, source: sourceOf(found, head, request) }),
    table: { steps: table.steps.map((step) => ({ ...step })), columns: table.columns },
    warnings: found.warnings.map(cleanText),
    licence_hints: found.licenceHints.map(cleanText),
  };
}

const cleanLine = ({ value, line }: { value: string; line: string }) => ({ value, line: cleanText(line) });

const dialectOf = ({ delimiter, quote, score, runnerUp }: NonNullable<SourceFound["dialect"]>) => ({
  ...{ delimiter, quote, score: rounded(score) },
  runner_up: { delimiter: runnerUp.delimiter, score: rounded(runnerUp.score) },
});

const rounded = (score: number): number => Math.round(score * 100) / 100;

const jsonOf = ({ candidates, paging }: NonNullable<SourceFound["json"]>) => ({
  candidates: candidates.map(({ pointer, shape, items }) => ({ pointer: cleanText(pointer), shape, items })),
  ...(paging && { paging: { pages: paging.pages, why: paging.why } }),
});

function transportOf({ read, length, bytesRead, seconds, isWhole }: FetchedHead): InspectionFound["transport"] {
  return {
    status: read?.status ?? null,
    final_url: read?.finalAddress ?? null,
    redirects: read?.redirects ?? 0,
    bytes: length ?? (isWhole ? bytesRead : null),
    bytes_read: bytesRead,
    media_type: read?.mediaType ?? null,
    etag: (read?.etag ?? null) !== null,
    last_modified: read?.lastModified ?? null,
    resumable: read?.hasRanges ?? false,
    seconds,
  };
}

const columnOf = ({ name, type, why, nulls, tokens, number, date, distinct, examples }: ColumnFound) => ({
  ...{ name: cleanText(name), type, why: cleanText(why), nulls, null_tokens: tokens.map(({ token }) => token) },
  ...(number && { number }),
  ...(date && { date }),
  ...{ distinct, examples: examples.map(cleanText) },
});

/** Exact if everything was read; otherwise what the source states, or an estimate from the share that was read. */
function rowsOf(
  { rows = 0, isAll, containers, bytes, json }: SourceFound,
  { length }: FetchedHead,
): InspectionFound["rows"] {
  if (json?.more) return { count: null, estimate: json.more.records > 0 ? json.more.records : null };
  if (isAll) return { count: rows, estimate: null };
  const whole = containers.length === 0 ? length : null;
  return { count: null, estimate: whole && bytes > 0 ? Math.round((rows * whole) / bytes) : null };
}

/** The source for a recipe: as requested, with the reader, the archive member and the paging that were found. */
function sourceOf({ reader, containers, json }: SourceFound, { member }: FetchedHead, { source }: InspectionRequest) {
  const archive = containers.find(({ kind }) => kind === "zip" || kind === "tar");
  const pages = json?.paging?.pages;
  const isSure = pages !== undefined && json?.paging?.guesses === undefined;
  return {
    ...(isSure && source.pages === undefined ? withoutPage(source, pages) : source),
    ...(archive?.chosen && member === null && { archive: { member: archive.chosen } }),
    ...(isSure && source.pages === undefined && { pages }),
    reader,
  };
}

/** A source without the parameters that its paging sets itself. */
function withoutPage(source: Record<string, unknown>, pages: Record<string, unknown>): Record<string, unknown> {
  const { by, page = "page", offset = "offset", limit = "limit" } = pages;
  const own = by === "page" ? [page, limit] : by === "offset" ? [offset, limit] : [];
  const url = typeof source.url === "string" ? new URL(source.url) : undefined;
  const isNamed = own.some((name) => url?.searchParams.has(String(name)));
  for (const name of own) url?.searchParams.delete(String(name));
  const query = Object.entries((source.query as object | undefined) ?? {}).filter(([name]) => !own.includes(name));
  const { query: _, ...rest } = source;
  return { ...rest, ...(isNamed && { url: url?.href }), ...(query.length > 0 && { query: Object.fromEntries(query) }) };
}
