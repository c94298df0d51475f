import iconv from "iconv-lite";
import { COLUMNS_MAX, tooManyColumns } from "@/lib/readers/columns-max";
import { unreadFormat } from "@/lib/readers/containers/unread-formats";
import { type Dialect, headRecords } from "@/lib/readers/delimited/head-records";
import type { StatedTotal } from "@/lib/sources/stated-total";
import { type DialectFound, findDialect } from "./dialect";
import { type EncodingFound, findEncoding } from "./encoding";
import { type FormatFound, findFormat } from "./format";
import { inspectJson, type JsonFound } from "./inspect-json";
import { inspectRecords, type RecordsInspection } from "./inspect-records";
import { licenceHints } from "./licence-hints";

export interface Inspected {
  /** The first bytes of a source, after content codings and decompression. */
  head: Buffer;
  /** Whether that is all of it. */
  isWhole: boolean;
  /** Its last bytes, if they were read separately from the head. They may begin within a record. */
  tail?: Buffer;
  /** The file's name in the URL; empty if there is none. */
  name: string;
  mediaType: string | null;
  /** The Link header of the reply, and the URL that was requested. Both show how a query is paginated. */
  link?: string | null;
  url?: string;
  /** How many records there are, according to the head of the reply. */
  stated?: StatedTotal;
  /** Whether the source's pages are known already. */
  hasPages?: boolean;
}

/** What a source looks like: proposals with their reasons. A person or an agent decides. */
export interface Inspection extends Partial<RecordsInspection> {
  format: FormatFound;
  encoding?: EncodingFound;
  dialect?: Omit<DialectFound, "records" | "hasInnerQuotes">;
  json?: JsonFound;
  /** Ready to be put into a recipe; absent if the format cannot be read. */
  reader?: { format: string; options: Record<string, unknown> };
  warnings: string[];
  licenceHints: string[];
}

const RECORDS_MAX = 50_000;
const RAW_LINES = 3;
const RAW_CHARACTERS = 500;
const UNREADABLE: Readonly<Record<string, string>> = {
  zip: "A zip file. Use archive: {member: …} and inspect one of its members.",
  tar: "A tar archive. Use archive: {member: …} and inspect one of its members.",
  html: "A web page, not data. Use the URL of the file that the page links to.",
  xml: "XML, which is not read. Use a URL or file of the same data as csv, json or xlsx; a short one may be an error.",
  jsonp:
    "JavaScript that calls a function with JSON (JSONP). Remove the parameter that names the function from the URL, " +
    "or save the JSON alone.",
  binary: "Neither text, since it contains NUL, nor a format that is known. Check the URL, or convert the file to csv.",
};

/** Inspects a file's first bytes. Pure: the same bytes give the same proposals. */
export function inspect(inspected: Inspected): Inspection {
  const { head } = inspected;
  const unread = unreadFormat(head, inspected.name);
  if (unread)
    return {
      format: { value: unread.value, why: "its first bytes" },
      ...{ warnings: [`The source is ${unread.is}`], licenceHints: [] },
    };
  const encoding = findEncoding(head);
  const text = wholeLines(iconv.decode(head, encoding.value), inspected.isWhole);
  const format = findFormat(head, text, inspected);
  if (text.trim() === "") return { format, encoding, warnings: ["The source is blank."], licenceHints: [] };
  switch (format.value) {
    case "csv":
    case "tsv":
      return inspectText(text, inspected, { format, encoding });
    case "json":
      return { format, ...inspectJson(iconv.decode(head, "utf-8"), inspected) };
    case "ndjson":
      return { format, raw: rawLines(text), reader: { format: "ndjson", options: {} }, warnings: [], licenceHints: [] };
    case "parquet":
    case "xlsx":
      return { format, reader: { format: format.value, options: {} }, warnings: [], licenceHints: [] };
    default:
      return { format, warnings: [UNREADABLE[format.value] ?? ""], licenceHints: [] };
  }
}

const rawLines = (text: string) =>
  text.split("\n", RAW_LINES).map((line, at) => ({ n: at + 1, cells: [line.slice(0, RAW_CHARACTERS).toWellFormed()] }));

/** The text without the last line if that may be cut off. */
const wholeLines = (text: string, isWhole: boolean): string =>
  isWhole || !text.includes("\n") ? text : text.slice(0, text.lastIndexOf("\n") + 1);

function inspectText(
  text: string,
  { isWhole, tail }: Inspected,
  { format, encoding }: Pick<Inspection, "format"> & { encoding: EncodingFound },
): Inspection {
  const isTabbed = format.value === "tsv" && text.includes("\t");
  const { records: first, hasInnerQuotes, ...dialect } = findDialect(text, isTabbed ? ["\t"] : undefined);
  refuseWide(first);
  const { records } = headRecords(text, dialect, RECORDS_MAX);
  const last = tail && headRecords(iconv.decode(tail, encoding.value), dialect, RECORDS_MAX).records.slice(1);
  const found = inspectRecords(records, isWhole && records.length < RECORDS_MAX, last, false, dialect.delimiter);
  const { layoutOptions, ...shown } = found;
  return {
    format,
    encoding,
    dialect,
    ...shown,
    reader: { format: "csv", options: { ...dialectOptions(dialect, hasInnerQuotes, encoding), ...layoutOptions } },
    warnings: [...dialectWarnings(dialect, encoding), ...found.warnings],
    licenceHints: licenceHints((found.raw ?? []).map(({ cells }) => cells.filter((cell) => cell !== "").join(" "))),
  };
}

/** Only what differs from the reader's defaults. */
const dialectOptions = (
  { delimiter, quote, escape: escapes }: Dialect,
  hasInnerQuotes: boolean,
  encoding: EncodingFound,
): Record<string, unknown> => ({
  ...(delimiter !== "," && { delimiter }),
  ...(quote !== '"' && { quote }),
  ...(escapes !== "double" && { escape: escapes }),
  ...(hasInnerQuotes && { bad_quotes: "literal" }),
  ...(encoding.value !== "utf-8" && { encoding: encoding.value }),
});

function dialectWarnings(dialect: Pick<DialectFound, "isClose" | "runnerUp">, encoding: EncodingFound): string[] {
  const warnings: string[] = [];
  if (dialect.isClose)
    warnings.push(`The delimiter ${JSON.stringify(dialect.runnerUp.delimiter)} is almost as likely. Compare raw.`);
  if (encoding.others.length > 0) warnings.push("The encoding is a guess. Compare the lines of the candidates.");
  return warnings;
}

function refuseWide(records: readonly string[][]): void {
  const wide = records.findIndex((cells) => cells.length > COLUMNS_MAX);
  if (wide >= 0) throw tooManyColumns(`Record ${wide + 1}`, records[wide]?.length ?? 0, wide + 1);
}
