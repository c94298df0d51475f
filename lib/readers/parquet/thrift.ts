import { mismatch, type ReadFailure } from "@/lib/readers/failure";

/** A field of a Thrift struct: its type, and its value's bytes without the header. */
export interface Field {
  type: number;
  raw: Buffer;
}

/** A struct's fields by number. */
export type Fields = Map<number, Field>;

/** Types of Thrift's compact protocol. A Boolean is its own value. */
export const THRIFT = { true: 1, false: 2, i8: 3, i32: 5, double: 7, binary: 8, list: 9, set: 10, map: 11, struct: 12 };
const INTEGERS: ReadonlySet<number> = new Set([4, THRIFT.i32, 6]);
const FIXED_BYTES: ReadonlyMap<number, number> = new Map([
  [THRIFT.i8, 1],
  [THRIFT.double, 8],
  [13, 16],
]);
const DEPTH_MAX = 64;

function fixedBytes(type: number): number {
  const bytes = FIXED_BYTES.get(type);
  if (bytes === undefined) throw footerFault(`there is no type ${type}`);
  return bytes;
}

/** Bytes of a footer that are not what Parquet allows, whoever reads them. `cause` completes "cannot be read, since". */
export const footerFault = (cause: string): ReadFailure =>
  mismatch(
    `The Parquet file is damaged: its footer cannot be read, since ${cause}. Download the file again, or write it ` +
      "again.",
  );

/** The fields of the struct that `bytes` begins with, which are not parsed further. */
export function readStruct(bytes: Buffer): Fields {
  return new Cursor(bytes).struct(0);
}

/** The elements of a list, which are not parsed further. */
export function readList({ type, raw }: Field): { type: number; items: Buffer[] } {
  if (type !== THRIFT.list) throw footerFault("a list is of another type");
  return new Cursor(raw).list(0);
}

export function readInteger({ raw }: Field): number {
  const value = new Cursor(raw).varint();
  return Number((value >> 1n) ^ -(value & 1n));
}

/** The struct's bytes, with its fields in the order of their numbers. */
export function writeStruct(fields: Fields): Buffer {
  const parts: Uint8Array[] = [];
  let last = 0;
  for (const [id, { type, raw }] of [...fields].sort(([a], [b]) => a - b)) {
    const isNear = id - last <= 15;
    parts.push(isNear ? Buffer.of(((id - last) << 4) | type) : Buffer.concat([Buffer.of(type), zigzag(id)]), raw);
    last = id;
  }
  return Buffer.concat([...parts, Buffer.of(0)]);
}

export function writeList(type: number, items: readonly Uint8Array[]): Field {
  const head = items.length < 15 ? Buffer.of((items.length << 4) | type) : Buffer.of(0xf0 | type);
  const size = items.length < 15 ? [] : [varint(items.length)];
  return { type: THRIFT.list, raw: Buffer.concat([head, ...size, ...items]) };
}

export const integer = (value: number): Field => ({ type: THRIFT.i32, raw: zigzag(value) });

export const struct = (fields: Record<number, Field>): Field => ({
  type: THRIFT.struct,
  raw: writeStruct(new Map(Object.entries(fields).map(([id, field]) => [Number(id), field]))),
});

export const boolean = (value: boolean): Field => ({
  type: value ? THRIFT.true : THRIFT.false,
  raw: Buffer.alloc(0),
});

const zigzag = (value: number): Buffer => varint(value * 2);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.of(...bytes, rest);
}

class Cursor {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  struct(depth: number): Fields {
    const fields: Fields = new Map();
    let last = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      const id = head >> 4 === 0 ? Number(BigInt.asIntN(16, this.#signed())) : last + (head >> 4);
      const type = head & 15;
      const from = this.#at;
      this.#skip(type, depth, false);
      fields.set(id, { type, raw: this.bytes.subarray(from, this.#at) });
      last = id;
    }
    return fields;
  }

  list(depth: number): { type: number; items: Buffer[] } {
    const { type, size } = this.#listHead();
    const items: Buffer[] = [];
    for (let left = size; left > 0; left -= 1) {
      const from = this.#at;
      this.#skip(type, depth, true);
      items.push(this.bytes.subarray(from, this.#at));
    }
    return { type, items };
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw footerFault("a number is too long");
  }

  #signed(): bigint {
    const value = this.varint();
    return (value >> 1n) ^ -(value & 1n);
  }

  #byte(): number {
    const byte = this.bytes[this.#at];
    if (byte === undefined) throw footerFault("the bytes end too early");
    this.#at += 1;
    return byte;
  }

  #forward(bytes: number): void {
    if (bytes > this.bytes.length - this.#at) throw footerFault("the bytes end too early");
    this.#at += bytes;
  }

  /** Every element takes a byte at least, so a list is no longer than its bytes. */
  #listHead(): { type: number; size: number } {
    const head = this.#byte();
    const size = head >> 4 === 15 ? Number(this.varint()) : head >> 4;
    if (size > this.bytes.length - this.#at) throw footerFault("a list is longer than its bytes");
    return { type: head & 15, size };
  }

  #skip(type: number, depth: number, isElement: boolean): void {
    if (depth > DEPTH_MAX) throw footerFault("structs are nested too deeply");
    if (type === THRIFT.struct) this.#skipStruct(depth + 1);
    else if (type === THRIFT.list || type === THRIFT.set) this.#skipItems(depth + 1);
    else if (type === THRIFT.map) this.#skipEntries(depth + 1);
    else if (type === THRIFT.true || type === THRIFT.false) this.#forward(isElement ? 1 : 0);
    else if (type === THRIFT.binary) this.#forward(Number(this.varint()));
    else if (INTEGERS.has(type)) this.varint();
    else this.#forward(fixedBytes(type));
  }

  #skipItems(depth: number): void {
    const { type, size } = this.#listHead();
    for (let left = size; left > 0; left -= 1) this.#skip(type, depth, true);
  }

  #skipEntries(depth: number): void {
    const size = Number(this.varint());
    if (size > this.bytes.length - this.#at) throw footerFault("a map is longer than its bytes");
    const types = size === 0 ? 0 : this.#byte();
    for (let left = size; left > 0; left -= 1) {
      this.#skip(types >> 4, depth, true);
      this.#skip(types & 15, depth, true);
    }
  }

  #skipStruct(depth: number): void {
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      if (head >> 4 === 0) this.varint();
      this.#skip(head & 15, depth, false);
    }
  }
}
