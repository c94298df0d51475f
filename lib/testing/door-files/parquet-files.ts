import {
  boolean,
  both,
  type DoorFile,
  date,
  type Expected,
  float,
  json,
  number,
  read,
  refused,
  text,
  timestamp,
} from "./door-file";
import { PARQUET_BYTES } from "./parquet-bytes";

const file = (name: string, of: keyof typeof PARQUET_BYTES, ...expected: Expected[]): DoorFile => ({
  name,
  file: "p.parquet",
  bytes: Buffer.from(PARQUET_BYTES[of], "base64"),
  ...both(...expected),
});

const WIDE = read([number("x", "1.50", "-2.25", "123456789.10")]);
const TOO_WIDE = refused(/"x"/, /decimal|digits/i);
const FINE = refused(/"t"/, /nanosecond/i);
const NS = read([timestamp("t", "2024-01-01 00:00:00.123456789", "2024-01-01 00:00:00.000000001", null)]);

const DECIMALS: readonly DoorFile[] = [
  file("decimals of 38 digits", "dec38", read([number("x", "1.50", "-2.25", `${"9".repeat(36)}.99`)])),
  file("decimals of 39 digits", "dec39", WIDE, TOO_WIDE),
  file("decimals of 39 digits, by snappy", "dec39Snappy", WIDE, TOO_WIDE),
  file("decimals of 39 digits without a dictionary", "dec39NoDictionary", WIDE, TOO_WIDE),
  file(
    "decimals of 39 digits with a null",
    "dec39Nulls",
    read([number("id", "1", "2", "3"), number("x", null, "-0.01", `${"9".repeat(37)}.99`)]),
    TOO_WIDE,
  ),
  file(
    "decimals of 76 digits",
    "dec76",
    read([number("x", "1.0000000001", `-${"1234567890".repeat(6)}.0000000001`)]),
    TOO_WIDE,
  ),
  file(
    "integers of 44 digits",
    "dec39Integer",
    read([number("x", "9".repeat(44), `-${"9".repeat(44)}`, "0")]),
    TOO_WIDE,
  ),
  file(
    "decimals of 39 digits in lists",
    "dec39List",
    read([json("x", "[1.50,-2.25]", "[]", null)]),
    read([json("x", '["1.50","-2.25"]', "[]", null)]),
    TOO_WIDE,
  ),
  file(
    "decimals of 39 digits in structs",
    "dec39Struct",
    read([json("x", '{"d":1.50,"n":1}', '{"d":-2.25,"n":null}')]),
    read([json("x", '{"d":"1.50","n":1}', '{"d":"-2.25","n":null}')]),
    TOO_WIDE,
  ),
  file(
    "decimals of 39 digits in maps",
    "dec39Map",
    read([json("x", '[{"key":"a","value":1.50}]', '[{"key":"b","value":-2.25}]')]),
    read([json("x", '[{"key":"a","value":"1.50"}]', '[{"key":"b","value":"-2.25"}]')]),
    TOO_WIDE,
  ),
];

const TIMES: readonly DoorFile[] = [
  file("nanoseconds of UTC", "nsUtc", NS, FINE),
  file("nanoseconds without a zone", "nsNaive", NS, FINE),
  file("nanoseconds that are zero", "nsZeros", read([timestamp("t", "2024-01-01 00:00:00.123456", null)])),
  file("nanoseconds in lists", "nsList", FINE, read([json("t", '["2024-01-01 00:00:00.123456789+00"]', "[]")])),
  file("nanoseconds in structs", "nsStruct", FINE),
  file("nanoseconds as INT96", "int96", NS, FINE),
  file("INT96 whose nanoseconds are zero", "int96Zeros", read([timestamp("t", "2024-01-01 00:00:00.123456")])),
  file("microseconds", "micros", read([timestamp("t", "2024-01-01 00:00:00.123456", null)])),
  file("times of day in nanoseconds", "timeNs", FINE, read([text("t", "01:00:00.000000001", null)])),
  file("days", "days", read([date("d", "2024-01-05", "1582-10-15", "9999-12-31", null)])),
  file("a day beyond the year 9999", "farDays", refused(/"d"/, /9999|year|date/i)),
];

const TEXTS: readonly DoorFile[] = [
  file("NUL in text", "nulText", refused(/"s"/, /NUL/i), read([text("s", "a\0b", "c")])),
  file("text that is not UTF-8", "badUtf8", refused(/"s"|UTF-8/i)),
  file("text of digits, empty and null", "texts", read([text("s", "007", "", null, "é😀", "NA")])),
];

const NUMBERS: readonly DoorFile[] = [
  file("zeros with signs", "zeros", read([float("f", "1.5", "-0.0", "0.0", "2.5")])),
  file("only zeros with signs", "onlyZeros", read([float("f", "-0.0", "0.0", "-0.0")]), refused(/"f"/, /zero/i)),
  file("floats", "floats", read([float("f", "0.1", "1e+300", "nan", "inf", null)])),
  file("floats of 32 bits", "singles", read([float("f", "0.1", "-0.0", "3.4028235e+38")])),
  file("unsigned integers of 64 bits", "uint64", read([number("u", "18446744073709551615", "0")])),
  file(
    "integers at the ends of 64 bits",
    "int64",
    read([number("i", "9223372036854775807", "-9223372036854775808", "9007199254740993")]),
  ),
  file("lists of integers", "lists", read([json("l", "[9007199254740993,null]", "[]", null)])),
  file("booleans", "booleans", read([boolean("b", "true", "false", null)])),
];

const WHOLE = Buffer.from(PARQUET_BYTES.nsZeros, "base64");
const BROKEN = refused(/parquet/i);

/** Parquet that is cut, changed or without content. */
const DAMAGED: readonly DoorFile[] = [
  file("no columns", "zeroColumns", refused(/column/i)),
  file("no rows", "noRows", read([number("a"), text("b")])),
  ...[
    ["cut after its first bytes", WHOLE.subarray(0, 40)],
    ["cut before its last bytes", WHOLE.subarray(0, -4)],
    ["only its first four bytes", WHOLE.subarray(0, 4)],
    [
      "with a wrong length of its footer",
      Buffer.concat([WHOLE.subarray(0, -8), Buffer.from([255, 255, 255, 127]), WHOLE.subarray(-4)]),
    ],
    ["with a damaged footer", Buffer.concat([WHOLE.subarray(0, -60), Buffer.alloc(52, 0xee), WHOLE.subarray(-8)])],
    ["without its first bytes", WHOLE.subarray(10)],
    ["with another beginning", Buffer.concat([Buffer.from("PARE"), WHOLE.subarray(4)])],
  ].map(
    ([word, bytes]): DoorFile => ({
      name: `Parquet ${word as string}`,
      file: "p.parquet",
      bytes: bytes as Buffer,
      publish: [BROKEN],
      recipe: [refused(/parquet|NUL|encoding|binary/i)],
    }),
  ),
  {
    name: "text named parquet",
    file: "p.parquet",
    bytes: Buffer.from("id,name\n1,a\n"),
    publish: [BROKEN],
    recipe: [read([number("id", "1"), text("name", "a")]), BROKEN],
  },
  {
    name: "Parquet named csv",
    file: "p.csv",
    bytes: WHOLE,
    publish: [refused(/parquet|UTF-8|NUL/i)],
    recipe: [read([timestamp("t", "2024-01-01 00:00:00.123456", null)])],
  },
];

/** Parquet. */
export const PARQUET_FILES: readonly DoorFile[] = [...DECIMALS, ...TIMES, ...TEXTS, ...NUMBERS, ...DAMAGED];
