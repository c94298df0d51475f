import * as arrow from "apache-arrow";
import type { ColumnarForm } from "@/lib/engine/types/column-type";
import { dayOf, digitsOf, instantOf, jsonOf, timeOf, unitsOf, wholeReader } from "./exact-values";
import type { Row, Value } from "./page-rows";
import type { PageType } from "./page-types";

type Values = readonly Value[];

/** Values of one type in Arrow's layout: exact to the last digit, null where the reply has null. */
export function arrowData(type: PageType, values: Values): arrow.Data {
  const frame = {
    length: values.length,
    nullCount: values.filter((value) => value === null).length,
    nullBitmap: bits(values.map((value) => value !== null)),
  };
  if (type.kind === "list") return listData(type.item, values, frame);
  if (type.kind === "struct") return structData(type.fields, values, frame);
  return leafData(type.form, values, frame);
}

function leafData(form: ColumnarForm, values: Values, frame: Frame): arrow.Data {
  switch (form.kind) {
    case "boolean":
      return arrow.makeData({ ...frame, type: new arrow.Bool(), data: bits(values.map((value) => value === true)) });
    case "binary": {
      const bytes = joined(values, (value) => Buffer.from(String(value), "base64"));
      return arrow.makeData({ ...frame, type: new arrow.Binary(), ...bytes });
    }
    case "decimal":
      return decimalData(form.precision, form.scale, values, frame);
    case "text":
    case "uuid":
      return arrow.makeData({ ...frame, type: new arrow.Utf8(), ...joined(values, textBytes) });
    case "json":
    case "nested":
      return arrow.makeData({
        ...frame,
        type: new arrow.Utf8(),
        ...joined(values, (value) => Buffer.from(jsonOf(value))),
      });
    default: {
      const fixed = fixedOf(form);
      return arrow.makeData({ ...frame, type: fixed.type(), data: fixed.write(values) } as never);
    }
  }
}

const textBytes = (value: Value) => Buffer.from(String(value));

interface Frame {
  length: number;
  nullCount: number;
  nullBitmap: Uint8Array;
}

function listData(item: PageType, values: Values, frame: Frame): arrow.Data {
  const lists = values.map((value) => (value ?? []) as Values);
  const child = arrowData(item, lists.flat());
  const type = new arrow.List(new arrow.Field("item", child.type, true));
  return arrow.makeData({ ...frame, type, valueOffsets: offsets(lists.map(({ length }) => length)), child });
}

function structData(fields: readonly { name: string; type: PageType }[], values: Values, frame: Frame): arrow.Data {
  const children = fields.map(({ name, type }) =>
    arrowData(
      type,
      values.map((value) => (value as Row | null)?.[name] ?? null),
    ),
  );
  const type = new arrow.Struct(
    fields.map(({ name }, at) => new arrow.Field(name, (children[at] as arrow.Data).type, true)),
  );
  return arrow.makeData({ ...frame, type, children });
}

/** 128-bit two's complement, least significant word first. */
function decimalData(precision: number, scale: number, values: Values, frame: Frame): arrow.Data {
  const words = new BigInt64Array(values.length * 2);
  values.forEach((value, at) => {
    const units = unitsOf(digitsOf(value), scale);
    words[at * 2] = BigInt.asIntN(64, units);
    words[at * 2 + 1] = units >> 64n;
  });
  return arrow.makeData({
    ...frame,
    type: new arrow.Decimal(scale, precision, 128),
    data: new Uint32Array(words.buffer),
  });
}

interface Fixed {
  type(): arrow.DataType;
  write(values: Values): ArrayBufferView;
}

const whole = (type: () => arrow.DataType, make: (numbers: number[]) => ArrayBufferView): Fixed => ({
  type,
  write: (values) => make(values.map((value) => Number(digitsOf(value)))),
});

const wide = (
  type: () => arrow.DataType,
  read: (value: Value) => bigint,
  make: (numbers: bigint[]) => ArrayBufferView,
): Fixed => ({
  type,
  write: (values) => make(values.map((value) => (value === null ? 0n : read(value)))),
});

/** Numbers with a fixed number of bytes, by kind. */
function fixedOf(form: Extract<ColumnarForm, { kind: "integer" | "float" | "date" | "time" | "timestamp" }>): Fixed {
  switch (form.kind) {
    case "integer":
      return form.bits === 64 ? wideInteger(form) : INTEGERS[`${form.isSigned ? "" : "u"}${form.bits}`];
    case "float":
      return FLOATS[form.bits];
    case "date":
      return {
        type: () => new arrow.DateDay(),
        write: (values) => Int32Array.from(values.map((value) => (value === null ? 0 : dayOf(value)))),
      };
    case "time":
      return wide(() => new arrow.TimeMicrosecond(), timeOf, signed);
    case "timestamp":
      return wide(() => new arrow.TimestampMicrosecond("UTC"), instantOf, signed);
  }
}

const signed = (numbers: bigint[]) => BigInt64Array.from(numbers);
const unsigned = (numbers: bigint[]) => BigUint64Array.from(numbers);

const wideInteger = (form: Extract<ColumnarForm, { kind: "integer" }>): Fixed =>
  form.isSigned
    ? wide(() => new arrow.Int64(), wholeReader(form), signed)
    : wide(() => new arrow.Uint64(), wholeReader(form), unsigned);

const INTEGERS = {
  8: whole(
    () => new arrow.Int8(),
    (numbers) => Int8Array.from(numbers),
  ),
  16: whole(
    () => new arrow.Int16(),
    (numbers) => Int16Array.from(numbers),
  ),
  32: whole(
    () => new arrow.Int32(),
    (numbers) => Int32Array.from(numbers),
  ),
  u8: whole(
    () => new arrow.Uint8(),
    (numbers) => Uint8Array.from(numbers),
  ),
  u16: whole(
    () => new arrow.Uint16(),
    (numbers) => Uint16Array.from(numbers),
  ),
  u32: whole(
    () => new arrow.Uint32(),
    (numbers) => Uint32Array.from(numbers),
  ),
} as const;

const FLOATS = {
  32: whole(
    () => new arrow.Float32(),
    (numbers) => Float32Array.from(numbers),
  ),
  64: whole(
    () => new arrow.Float64(),
    (numbers) => Float64Array.from(numbers),
  ),
} as const;

function joined(values: Values, bytesOf: (value: Value) => Uint8Array): { valueOffsets: Int32Array; data: Uint8Array } {
  const parts = values.map((value) => (value === null ? Buffer.alloc(0) : bytesOf(value)));
  return { valueOffsets: offsets(parts.map(({ length }) => length)), data: Buffer.concat(parts) };
}

function offsets(lengths: readonly number[]): Int32Array {
  const all = new Int32Array(lengths.length + 1);
  lengths.forEach((length, at) => {
    all[at + 1] = (all[at] as number) + length;
  });
  return all;
}

function bits(flags: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(flags.length / 64) * 8);
  flags.forEach((flag, at) => {
    if (flag) bytes[at >> 3] = (bytes[at >> 3] as number) | (1 << (at & 7));
  });
  return bytes;
}
