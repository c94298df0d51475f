/** First and last byte, inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

const SINGLE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The single range that a Range header requests of a representation of `size` bytes (RFC 9110 §14). Undefined means the
 * whole representation: no header, several ranges, an unknown form, or an If-Range that names another version.
 */
export function readRange(
  range: string | null,
  ifRange: string | null,
  etag: string,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  if (range === null || (ifRange !== null && ifRange.trim() !== etag)) return undefined;
  const match = SINGLE.exec(range.trim().replace(/\s+/g, ""));
  const [first = "", last = ""] = match?.slice(1) ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return suffix(Number(last), size);
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start < size ? { start, end } : "unsatisfiable";
}

const suffix = (length: number, size: number): ByteRange | "unsatisfiable" =>
  length === 0 || size === 0 ? "unsatisfiable" : { start: Math.max(0, size - length), end: size - 1 };
