import { parse } from "lossless-json";
import { fail } from "@/lib/kernel/errors";

/** The grammar itself has at most four levels. */
const DEPTH_MAX = 32;

/** Parses a request body. Numbers become LosslessNumber, which keeps their digits. Throws `invalid_json`. */
export function parseJsonBody(text: string): unknown {
  checkNesting(text);
  try {
    return parse(text);
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? ` ${cause.message.slice(0, 200)}.` : "";
    throw fail("invalid_json", { message: `The body is not valid JSON.${reason}`, cause });
  }
}

/**
 * Bounds the parser's recursion, and rejects duplicate keys with equal values, which the parser accepts. An
 * unterminated string runs to the end in one match, so that the work remains linear.
 */
function checkNesting(text: string): void {
  const open: Set<string>[] = [];
  for (const token of text.matchAll(/"(?:[^"\\]|\\.?)*(?:"(\s*:)?|$)|[{}[\]]/gs)) {
    if (token[0] === "{" || token[0] === "[") open.push(new Set());
    else if (token[0] === "}" || token[0] === "]") open.pop();
    else if (token[1] !== undefined) addKey(open.at(-1), token[0].slice(0, -token[1].length));
    if (open.length > DEPTH_MAX)
      throw fail("invalid_json", { message: `The body is nested too deeply (maximum ${DEPTH_MAX} levels).` });
  }
}

function addKey(keys: Set<string> | undefined, quoted: string): void {
  const key = unquote(quoted);
  if (keys?.has(key))
    throw fail("invalid_json", { message: `Duplicate key ${JSON.stringify(key.slice(0, 100))} in one object.` });
  keys?.add(key);
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
