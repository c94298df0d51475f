import { isUtf8 } from "node:buffer";

/** Checks that chunks of bytes together are UTF-8: a character may be split between two chunks. */
export class Utf8Check {
  private tail: Buffer = Buffer.alloc(0);

  /** Offset in this chunk of the first invalid byte; undefined if all bytes so far are valid. */
  push(chunk: Buffer): number | undefined {
    const joined = this.tail.length > 0 ? Buffer.concat([this.tail, chunk]) : chunk;
    const open = openLength(joined);
    if (!isUtf8(joined.subarray(0, joined.length - open))) return Math.max(0, firstInvalid(joined) - this.tail.length);
    this.tail = Buffer.from(joined.subarray(joined.length - open));
    return undefined;
  }

  /** Whether the last character is incomplete. */
  get isOpen(): boolean {
    return this.tail.length > 0;
  }
}

/** Number of bytes at the end that belong to an incomplete character. */
function openLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return characterLength(byte) > back ? back : 0;
  }
  return 0;
}

function characterLength(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

function firstInvalid(bytes: Buffer): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let at = 0; at < bytes.length; at += 1) {
    try {
      decoder.decode(bytes.subarray(at, at + 1), { stream: true });
    } catch {
      return at;
    }
  }
  return bytes.length;
}
