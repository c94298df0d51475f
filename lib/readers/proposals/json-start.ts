import { ReadFailure } from "@/lib/readers/failure";
import { JsonFault, readValue } from "@/lib/readers/json/json-members";
import { JsonScan } from "@/lib/readers/json/json-scan";

export interface JsonFormatFound {
  value: "json" | "ndjson";
  why: string;
}

/** How much text shows whether it is JSON. */
const START_CHARACTERS = 64 * 1024;
const LINES_LOOKED_AT = 5;
const LINES_NAME = /\.(?:ndjson|jsonl)$/i;
const DOCUMENT_NAME = /\.(?:json|geojson)$/i;
const DOCUMENT_TYPE = /^application\/(?:[\w.-]{1,100}\+)?json\b/i;
const LINES_TYPE = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)\b/i;

/**
 * Whether text is JSON: one document, or objects one after another. Faulty JSON is JSON too, so that its reader
 * names the fault; a header of names in brackets is not.
 */
export function findJson(
  text: string,
  { name, mediaType }: { name: string; mediaType: string | null },
): JsonFormatFound | undefined {
  const start = text.slice(0, START_CHARACTERS).replace(/^\uFEFF/, "");
  const opened = withoutComments(start);
  const isNamed = DOCUMENT_NAME.test(name) || DOCUMENT_TYPE.test(mediaType ?? "");
  if (isNamed && text.length < START_CHARACTERS && (opened === "" || isJson(opened)))
    return { value: "json", why: "its name or media type" };
  if (!beginsObject(opened) && !beginsArray(opened)) return undefined;
  if (opened.startsWith("[") && !hasLines(opened)) return { value: "json", why: "the text begins an array" };
  if (LINES_NAME.test(name) || LINES_TYPE.test(mediaType ?? ""))
    return { value: "ndjson", why: "its name or media type" };
  return isSequence(opened) || hasLines(opened)
    ? { value: "ndjson", why: "values one after another" }
    : { value: "json", why: "the text begins an object" };
}

/** JSON has no comments, but text that begins with them may be JSON otherwise. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith("//") || rest.startsWith("/*")) {
    const closing = rest.startsWith("//") ? "\n" : "*/";
    const end = rest.indexOf(closing);
    rest = end < 0 ? "" : rest.slice(end + closing.length).trimStart();
  }
  return rest;
}

const OBJECT = /^\{\s*(?:\}|(?:"[^"\\\n]*(?:\\|"\s*:|$)|'[^'\n]*'\s*:|[A-Za-z_$][\w$]{0,100}\s*:))/;
const ARRAY = /^\[\s*(?:\]|\[|\{|(?:"(?:[^"\\\n]|\\.){0,1000}"|[-+.\d][-+.\deE]{0,400}|true|false|null|NaN)\s*[,\]])/;
/** A list of values that another value follows: the first of several cells. */
const CELLS = /^\[[^[\]{}]{0,1000}\]\s*[,;|]/;

const beginsObject = (text: string): boolean => OBJECT.test(text) || text === "{";
const beginsArray = (text: string): boolean => (ARRAY.test(text) && !CELLS.test(text)) || text === "[";

/** Whether another object follows the first one, or a comma and another object. */
function isSequence(text: string): boolean {
  let end = 0;
  const scan = new JsonScan([], "sequence", (raw) => {
    end ||= raw.length;
  });
  try {
    scan.push(text);
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
  }
  const next = text.slice(end, end + 1000).trimStart();
  return end > 0 && (next.startsWith(",") ? next.slice(1).trimStart() : next).startsWith("{");
}

/** Whether at least two of the first lines are complete objects or arrays. */
function hasLines(text: string): boolean {
  const lines = text.split("\n", LINES_LOOKED_AT).map((line) => line.trim());
  return lines.filter((line) => /^[{[]/.test(line) && isJson(line)).length >= 2;
}

function isJson(text: string): boolean {
  try {
    readValue(text.trim());
    return true;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return false;
  }
}
