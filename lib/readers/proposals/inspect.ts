import iconv from "iconv-lite";
import type { StatedTotal } from "@/lib/sources/stated-total";
import { type DialectFound, findDialect } from "./dialect";
import { type EncodingFound, findEncoding } from "./encoding";
import { type FormatFound, findFormat } from "./format";
import { inspectJson, type JsonFound } from "./inspect-json";
import { inspectRecords, type RecordsInspection } from "./inspect-records";
import { licenceHints } from "./licence-hints";
import { sampleRecords } from "./sample-records";

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
  dialect?: Omit<DialectFound, "records">;
  json?: JsonFound;
  /** For JSON of which only the beginning was read: that beginning, closed, so that a reader can try it. */
  closed?: string;
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
  gzip: "Compressed data that cannot be unpacked.",
  zstd: "Compressed data that cannot be unpacked.",
  html: "A web page, not data. Use the URL of the file that the page links to.",
  xls: "An old Excel file (xls), which is not supported. Use a copy saved as xlsx or csv.",
};

/** Inspects a file's first bytes. Pure: the same bytes give the same proposals. */
export function inspect(inspected: Inspected): Inspection {
  const { head } = inspected;
  const encoding = findEncoding(head);
  const text = wholeLines(iconv.decode(head, encoding.value), inspected.isWhole);
  const format = findFormat(head, text, inspected);
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
  const { records: _, ...dialect } = findDialect(text);
  const isTable = dialect.score > 0;
  const chosen = isTable ? dialect : { ...dialect, delimiter: "," };
  const records = sampleRecords(text, chosen, RECORDS_MAX).records;
  const last = tail && sampleRecords(iconv.decode(tail, encoding.value), chosen, RECORDS_MAX).records.slice(1);
  const found = inspectRecords(records, isWhole && records.length < RECORDS_MAX, last);
  const { layoutOptions, ...shown } = found;
  return {
    format,
    encoding,
    dialect: { ...dialect, delimiter: chosen.delimiter },
    ...shown,
    reader: { format: "csv", options: { ...dialectOptions(chosen, encoding), ...layoutOptions } },
    warnings: [...dialectWarnings(dialect, encoding), ...found.warnings],
    licenceHints: licenceHints((found.raw ?? []).map(({ cells }) => cells.filter((cell) => cell !== "").join(" "))),
  };
}

/** Only what differs from the reader's defaults. */
const dialectOptions = ({ delimiter, quote }: { delimiter: string; quote: string }, encoding: EncodingFound) => ({
  ...(delimiter !== "," && { delimiter }),
  ...(quote !== '"' && { quote }),
  ...(encoding.value !== "utf-8" && { encoding: encoding.value }),
});

function dialectWarnings(dialect: Omit<DialectFound, "records">, encoding: EncodingFound): string[] {
  const warnings: string[] = [];
  if (dialect.isClose)
    warnings.push(`The delimiter ${JSON.stringify(dialect.runnerUp.delimiter)} is almost as likely. Compare raw.`);
  if (encoding.others.length > 0) warnings.push("The encoding is a guess. Compare the lines of the candidates.");
  return warnings;
}
