import { StringDecoder } from "node:string_decoder";
import iconv from "iconv-lite";
import { ReadFailure } from "@/lib/readers/failure";
import { Utf8Check } from "./utf8";

/** Bytes that are invalid in the encoding. The text before them has already been returned. */
export class BadBytes extends Error {}

const REPLACEMENT = "\ufffd";
const UTF8_REPLACEMENT = Buffer.from(REPLACEMENT);
const MARKS = [
  ["utf-8", Buffer.from([0xef, 0xbb, 0xbf])],
  ["utf-16le", Buffer.from([0xff, 0xfe])],
  ["utf-16be", Buffer.from([0xfe, 0xff])],
] as const;
const MARK_BYTES = 3;

/** Text up to the first bad bytes, and whether there were any; the complete text if they are replaced. */
interface DecodedText {
  text: string;
  isBad: boolean;
}

interface TextDecoding {
  push(chunk: Buffer): DecodedText;
  end(): DecodedText;
}

export interface Decoded {
  texts: AsyncGenerator<string>;
  /** Bad bytes that were replaced so far. */
  replaced(): number;
}

/**
 * Decodes chunks of bytes. A byte order mark is dropped; the mark of another encoding is a failure. Bad bytes throw
 * `BadBytes` unless they are replaced.
 */
export function decode(chunks: AsyncIterable<Buffer>, encoding: string, badBytes: "error" | "replace"): Decoded {
  const decoding = encoding === "utf-8" ? utf8(badBytes) : tables(encoding, badBytes);
  let replaced = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const { text, isBad } of steps(withoutMark(chunks, encoding), decoding)) {
      if (isBad && badBytes === "replace") replaced += 1;
      if (text !== "") yield text;
      if (isBad && badBytes === "error") throw new BadBytes();
    }
  }
  return { texts: texts(), replaced: () => replaced };
}

async function* steps(chunks: AsyncIterable<Buffer>, decoding: TextDecoding): AsyncGenerator<DecodedText> {
  for await (const chunk of chunks) yield decoding.push(chunk);
  yield decoding.end();
}

async function* withoutMark(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < MARK_BYTES) continue;
    yield dropMark(head, encoding);
    head = undefined;
  }
  if (head !== undefined) yield dropMark(head, encoding);
}

function dropMark(head: Buffer, encoding: string): Buffer {
  const found = MARKS.find(([, mark]) => head.subarray(0, mark.length).equals(mark));
  if (!found) return head;
  const [marked, mark] = found;
  if (marked !== encoding)
    throw new ReadFailure(
      "encoding_invalid",
      `The file begins with the byte order mark of ${marked}, but the reader's encoding is ${encoding}. ` +
        `Set encoding to ${marked}.`,
    );
  return head.subarray(mark.length);
}

function utf8(badBytes: "error" | "replace"): TextDecoding {
  const decoder = new StringDecoder("utf8");
  const check = new Utf8Check();
  if (badBytes === "replace") return counted(decoder, (bytes) => occurrences(bytes, UTF8_REPLACEMENT));
  return {
    push(chunk) {
      const bad = check.push(chunk);
      return { text: decoder.write(bad === undefined ? chunk : chunk.subarray(0, bad)), isBad: bad !== undefined };
    },
    end: () => ({ text: "", isBad: check.isOpen }),
  };
}

/** Replaces as the decoder does. Chunks with more replacement characters than their bytes contain had bad bytes. */
function counted(
  decoder: { write(chunk: Buffer): string; end(): string | undefined },
  own: (bytes: Buffer) => number,
): TextDecoding {
  return {
    push(chunk) {
      const text = decoder.write(chunk);
      return { text, isBad: text.includes(REPLACEMENT) && occurrences(text, REPLACEMENT) > own(chunk) };
    },
    end() {
      const text = decoder.end() ?? "";
      return { text, isBad: text !== "" };
    },
  };
}

/**
 * Uses iconv-lite's tables: Node's TextDecoder decodes windows-1252 incorrectly in several versions that we support.
 */
function tables(encoding: string, badBytes: "error" | "replace"): TextDecoding {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  const wide = encoding.startsWith("utf-16");
  const isBadAt = (text: string) => (wide ? loneSurrogate(text) : text.indexOf(REPLACEMENT));
  let odd = 0;
  let half = "";
  /** The decoder returns the first half of a surrogate pair before the second has arrived. */
  const whole = (text: string) => {
    const joined = half + text;
    half = /[\ud800-\udbff]$/.test(joined) ? joined.slice(-1) : "";
    return half === "" ? joined : joined.slice(0, -1);
  };
  const cut = (text: string) => {
    const at = isBadAt(text);
    if (at < 0) return { text, isBad: false };
    return badBytes === "replace"
      ? { text: text.toWellFormed(), isBad: true }
      : { text: text.slice(0, at), isBad: true };
  };
  return {
    push(chunk) {
      odd = (odd + chunk.length) % 2;
      return cut(whole(decoder.write(chunk)));
    },
    end() {
      const last = cut(half + (decoder.end() ?? ""));
      return wide && odd === 1 ? { ...last, isBad: true } : last;
    },
  };
}

function loneSurrogate(text: string): number {
  return text.isWellFormed() ? -1 : text.search(/\p{Surrogate}/u);
}

function occurrences(whole: Buffer | string, part: Buffer | string): number {
  let count = 0;
  for (let at = whole.indexOf(part as string); at >= 0; at = whole.indexOf(part as string, at + part.length))
    count += 1;
  return count;
}
