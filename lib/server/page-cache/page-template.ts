import { promisify } from "node:util";
import { constants, crc32, deflateRaw, gunzipSync } from "node:zlib";

const deflate = promisify(deflateRaw);

/** How far back a deflated text may refer. */
const WINDOW_BYTES = 32 * 1024;
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
const TRAILER_BYTES = 8;

/**
 * A page rendered once and sent with a different nonce each time. The parts between its nonces are compressed in
 * advance, and each nonce is inserted uncompressed. gzip's checksum is linear, so one multiplication gives it for any
 * nonce. Only the compressed page is held in memory. It is inflated for the few clients that do not accept gzip.
 */
export class PageTemplate {
  /** Deflated pieces. A nonce follows each but the last. */
  readonly #pieces: readonly Buffer[];
  readonly #nonceBytes: number;
  readonly #bytes: number;
  /** The checksum of the page with zeros in place of its nonces, and the factor for a nonce's own checksum. */
  readonly #checksum: number;
  readonly #factor: number;

  private constructor(pieces: readonly Buffer[], emptied: Buffer, holes: readonly number[], nonceBytes: number) {
    this.#pieces = pieces;
    this.#nonceBytes = nonceBytes;
    this.#bytes = emptied.length;
    this.#checksum = crc32(emptied);
    this.#factor = holes.reduce((sum, at) => sum ^ shiftBy(emptied.length - at - nonceBytes), 0);
  }

  /** The page without the places of `nonce`; undefined if it contains zero bytes, which represent the holes. */
  static async from(page: Buffer, nonce: string): Promise<PageTemplate | undefined> {
    if (page.includes(0)) return undefined;
    const holes = offsetsOf(page, nonce);
    const emptied = Buffer.from(page);
    for (const at of holes) emptied.fill(0, at, at + nonce.length);
    const starts = [0, ...holes.map((at) => at + nonce.length)];
    const pieces = starts.map((start, index) => deflated(emptied, start, holes[index]));
    return new PageTemplate(together(await Promise.all(pieces)), emptied, holes, nonce.length);
  }

  /** Memory that the page holds. */
  get heldBytes(): number {
    return [...new Set(this.#pieces.map(({ buffer }) => buffer))].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  gzipped(nonce: string): Buffer {
    const hole = stored(nonce);
    if (hole.length !== this.#nonceBytes + STORED_HEAD_BYTES) throw new RangeError("a nonce of a different length");
    const parts = this.#pieces.flatMap((piece, index) => (index === 0 ? [piece] : [hole, piece]));
    return Buffer.concat([GZIP_HEAD, ...parts, this.#trailer(nonce)]);
  }

  /**
   * Inflated synchronously, which takes a millisecond for most pages. In the thread pool it would wait behind queries.
   */
  plain(nonce: string): Buffer {
    return gunzipSync(this.gzipped(nonce));
  }

  #trailer(nonce: string): Buffer {
    const changed = (crc32(nonce) ^ crc32(Buffer.alloc(nonce.length))) >>> 0;
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeUInt32LE((this.#checksum ^ times(this.#factor >>> 0, changed)) >>> 0, 0);
    trailer.writeUInt32LE(this.#bytes % 2 ** 32, 4);
    return trailer;
  }
}

/** The same pieces in their own memory: each of zlib's is part of a larger buffer, which it would keep alive. */
function together(pieces: readonly Buffer[]): Buffer[] {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  return pieces.map((piece) => {
    const start = end;
    end += piece.copy(whole, start);
    return whole.subarray(start, end);
  });
}

function offsetsOf(page: Buffer, text: string): number[] {
  const offsets: number[] = [];
  for (let at = page.indexOf(text); at !== -1; at = page.indexOf(text, at + text.length)) offsets.push(at);
  return offsets;
}

/** The bytes before the next hole. They may refer to earlier bytes; nothing in them refers to a hole's zeros. */
function deflated(emptied: Buffer, start: number, hole: number | undefined): Promise<Buffer> {
  const piece = emptied.subarray(start, hole);
  if (piece.length === 0 && hole !== undefined) return Promise.resolve(Buffer.alloc(0));
  const dictionary = emptied.subarray(Math.max(0, start - WINDOW_BYTES), start);
  return deflate(piece, {
    finishFlush: hole === undefined ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    ...(dictionary.length > 0 && { dictionary }),
  });
}

const STORED_HEAD_BYTES = 5;

/** An uncompressed block, as defined in RFC 1951. */
function stored(text: string): Buffer {
  const block = Buffer.alloc(STORED_HEAD_BYTES + text.length);
  block.writeUInt16LE(text.length, 1);
  block.writeUInt16LE(~text.length & 0xffff, 3);
  block.write(text, STORED_HEAD_BYTES, "latin1");
  return block;
}

/** The polynomial of gzip's CRC-32 and its products, with the lowest power in the highest bit. */
const POLYNOMIAL = 0xedb88320;

const ONE = 0x80000000;

/** The product of two polynomials modulo the CRC's. */
function times(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

/** The factor for a CRC that is followed by this many bytes: x to the power of their bits. */
function shiftBy(bytes: number): number {
  let power = 0x00800000; // x to the 8th: one byte
  let shift = ONE;
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shift = times(power, shift);
    power = times(power, power);
  }
  return shift;
}
