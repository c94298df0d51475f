import type { ReaderFormat } from "@/lib/schemas/recipe-reader";
import { findJson } from "./json-start";

export interface FormatFound {
  value: ReaderFormat | "zip" | "gzip" | "zstd" | "html" | "xls";
  why: string;
}

const MAGIC: readonly { value: FormatFound["value"]; bytes: Buffer }[] = [
  { value: "parquet", bytes: Buffer.from("PAR1") },
  { value: "gzip", bytes: Buffer.from([0x1f, 0x8b]) },
  { value: "zstd", bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) },
  { value: "xls", bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]) },
];
const ZIP = Buffer.from("PK\x03\x04");
const HTML = /^<(?:!doctype html|html)/i;

/** Judged by the first bytes, the text, then the name in the URL, then the media type. */
export function findFormat(head: Buffer, text: string, about: { name: string; mediaType: string | null }): FormatFound {
  const magic = MAGIC.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes));
  if (magic) return { value: magic.value, why: "its first bytes" };
  if (head.subarray(0, ZIP.length).equals(ZIP))
    return head.includes("xl/workbook.xml") || about.name.endsWith(".xlsx")
      ? { value: "xlsx", why: "a zip file with a workbook" }
      : { value: "zip", why: "its first bytes" };
  const start = text.slice(0, 1000).trimStart();
  if (HTML.test(start)) return { value: "html", why: "the text begins a web page" };
  const json = findJson(text, about);
  if (json) return json;
  const isTsv = about.name.endsWith(".tsv") || about.mediaType?.startsWith("text/tab-separated-values") === true;
  return isTsv ? { value: "tsv", why: "its name or media type" } : { value: "csv", why: "text in records" };
}
