import { findJson } from "./json-start";

export interface FormatFound {
  /** A reader's format, or another that is only recognised. */
  value: string;
  why: string;
}

const PARQUET = Buffer.from("PAR1");
const ZIP = Buffer.from("PK\x03\x04");
const TAR = Buffer.from("ustar");
const TAR_AT = 257;
const BINARY_WITHIN = 1000;
const XML = /^<\?xml\b/i;
/** A call of a function with JSON, which pages load as a script. */
const CALL = /^[\w$.]{1,100}\(\s*[[{]/;
const CALL_END = /\)[;\s]{0,10}$/;
const HTML = /^<(?:!doctype html|html)/i;

/** Judged by the first bytes, the text, then the name in the URL, then the media type. */
export function findFormat(head: Buffer, text: string, about: { name: string; mediaType: string | null }): FormatFound {
  if (head.subarray(0, PARQUET.length).equals(PARQUET)) return { value: "parquet", why: "its first bytes" };
  // its reader says that the beginning is missing
  if (head.subarray(-PARQUET.length).equals(PARQUET)) return { value: "parquet", why: "its last bytes" };
  if (head.subarray(TAR_AT, TAR_AT + TAR.length).equals(TAR)) return { value: "tar", why: "its first bytes" };
  if (head.subarray(0, ZIP.length).equals(ZIP))
    return head.includes("xl/workbook.xml") || /\.xls[xm]$/i.test(about.name)
      ? { value: "xlsx", why: "a zip file with a workbook" }
      : { value: "zip", why: "its first bytes" };
  if (text.slice(0, BINARY_WITHIN).includes("\0")) return { value: "binary", why: "its text contains NUL" };
  const start = text.slice(0, 1000).trimStart();
  if (XML.test(start)) return { value: "xml", why: "the text begins XML" };
  if (HTML.test(start)) return { value: "html", why: "the text begins a web page" };
  if (CALL.test(start) && CALL_END.test(text.slice(-20))) return { value: "jsonp", why: "the text calls a function" };
  const json = findJson(text, about);
  if (json) return json;
  const isTsv = about.name.endsWith(".tsv") || about.mediaType?.startsWith("text/tab-separated-values") === true;
  return isTsv ? { value: "tsv", why: "its name or media type" } : { value: "csv", why: "text in records" };
}
