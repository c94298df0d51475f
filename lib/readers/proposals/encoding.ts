import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { detectAll } from "jschardet";
import { ENCODINGS } from "@/lib/schemas/recipe-reader";

export interface EncodingFound {
  value: string;
  why: string;
  /** Other candidates, each with the first non-ASCII line as decoded by it. */
  others: { value: string; line: string }[];
}

const RANKED_BYTES = 64 * 1024;
const MARKS = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const;
/** Encodings that browsers read as a wider, closely related one. */
const WIDER: Readonly<Record<string, string>> = { "iso-8859-1": "windows-1252", ascii: "windows-1252", gb2312: "gbk" };

/** The encoding of a file's first bytes, whose last character may be cut off. */
export function findEncoding(head: Buffer): EncodingFound {
  const mark = MARKS.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte));
  if (mark) return { value: mark[0], why: "a byte order mark", others: [] };
  if ([0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, Math.max(0, head.length - cut)))) && !head.includes(0))
    return { value: "utf-8", why: "every byte is valid UTF-8", others: [] };
  const zeros = [0, 1].map((odd) => head.filter((byte, at) => at % 2 === odd && byte === 0).length);
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) > head.length / 8)
    return { value: odd > even ? "utf-16le" : "utf-16be", why: "every second byte is zero", others: [] };
  const known = new Set<string>(ENCODINGS);
  const ranked = detectAll(head.subarray(0, RANKED_BYTES)).map(({ encoding }) => encoding?.toLowerCase() ?? "");
  const names = [...new Set(ranked.map((name) => WIDER[name] ?? name))].filter((name) => known.has(name));
  const [value = "windows-1252", ...others] = names.filter((name) => name !== "utf-8");
  const line = (name: string) => ({ value: name, line: lineBeyondAscii(head, name) });
  return {
    value,
    why: `the likeliest, which reads ${JSON.stringify(line(value).line)}`,
    others: others.slice(0, 3).map(line),
  };
}

function lineBeyondAscii(head: Buffer, encoding: string): string {
  const at = Math.max(
    0,
    head.findIndex((byte) => byte > 0x7f),
  );
  const start = Math.max(head.lastIndexOf(0x0a, at) + 1, at - 100);
  return (iconv.decode(head.subarray(start, at + 100), encoding).split(/[\r\n]/)[0] ?? "").slice(0, 120);
}
