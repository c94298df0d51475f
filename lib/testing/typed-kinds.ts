/** A column type as it is stored, and texts that are cast to it. */
export interface TypedKind {
  type: string;
  storage: string;
  cells: readonly string[];
}

const kind = (type: string, storage: string, ...cells: string[]): TypedKind => ({ type, storage, cells });

/** Every column type of the contract, with the values that are lost most easily. Strings are cast to the type. */
export const TYPED_KINDS: readonly TypedKind[] = [
  kind("boolean", "BOOLEAN", "true", "false"),
  kind("int8", "TINYINT", "-128", "0", "127"),
  kind("int16", "SMALLINT", "-32768", "7", "32767"),
  kind("int32", "INTEGER", "-2147483648", "0", "2147483647"),
  kind("int64", "BIGINT", "-9223372036854775808", "9007199254740993", "9223372036854775807"),
  kind("uint8", "UTINYINT", "0", "255"),
  kind("uint16", "USMALLINT", "0", "65535"),
  kind("uint32", "UINTEGER", "0", "2147483648", "4294967295"),
  kind("uint64", "UBIGINT", "0", "9223372036854775808", "18446744073709551615"),
  kind("float32", "FLOAT", "nan", "inf", "-inf", "-0.0", "0.0", "0.1", "1e-45", "3.4028235e38"),
  kind(
    "float64",
    "DOUBLE",
    "nan",
    "inf",
    "-inf",
    "-0.0",
    "0.0",
    "0.1",
    "5e-324",
    "1.7976931348623157e308",
    "1e21",
    "0.30000000000000004",
  ),
  kind("decimal(4,2)", "DECIMAL(4,2)", "-0.01", "99.99", "0.00", "1.50"),
  kind("decimal(9,9)", "DECIMAL(9,9)", "0.123456789", "-0.000000001"),
  kind("decimal(18,0)", "DECIMAL(18,0)", "-999999999999999999", "7"),
  kind(
    "decimal(38,10)",
    "DECIMAL(38,10)",
    "9999999999999999999999999999.9999999999",
    "-1234567890123456789012345678.0123456789",
    "0",
  ),
  kind(
    "string",
    "VARCHAR",
    "",
    " ",
    "a",
    "a,b",
    "\u00a0x",
    "x\u3000",
    "x\ufeff",
    "a\rb",
    "\u200bx",
    "日本 🐦",
    'say "x", \\',
    "line\nbreak",
    "\u0000\u0001",
    "null",
    "NaN",
  ),
  kind("date", "DATE", "0001-01-01", "1969-12-31", "2024-02-29", "9999-12-31"),
  kind("time", "TIME", "00:00:00", "12:34:56.000001", "23:59:59.999999"),
  kind(
    "timestamp",
    "TIMESTAMP WITH TIME ZONE",
    "0001-01-01 00:00:00.000001+00",
    "1969-12-31 23:59:59.999999+00",
    "2026-11-21 10:00:00+00",
    "9999-12-31 23:59:59.999999+00",
  ),
  kind(
    "uuid",
    "UUID",
    "00000000-0000-0000-0000-000000000000",
    "80000000-0000-4000-8000-00000000000f",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ),
  kind("binary", "BLOB", "", "\\x00\\xFF\\x80", "abc"),
  kind("list<int64>", "BIGINT[]", "[]", "[NULL]", "[9007199254740993, NULL, -1]"),
  kind("list<string>", "VARCHAR[]", "[]", "[a, NULL, b]"),
  kind("list<decimal(38,4)>", "DECIMAL(38,4)[]", "[1.5, NULL, -9999999999999999999999999999999999.9999]"),
  kind("list<list<float64>>", "DOUBLE[][]", "[]", "[[], NULL, [nan, -0.0, 0.0, NULL, inf]]", "[[0.1], [0.2]]"),
  kind(
    "struct",
    "STRUCT(a UBIGINT, t TIMESTAMP WITH TIME ZONE)",
    "{'a': 18446744073709551615, 't': 1969-12-31 23:59:59.999999+00}",
    "{'a': NULL, 't': NULL}",
  ),
  kind(
    "struct",
    `STRUCT("l x" STRUCT(d DATE, f FLOAT)[], u UUID)`,
    "{'l x': [{'d': 2024-02-29, 'f': -0.0}, NULL, {'d': NULL, 'f': 0.1}], 'u': " +
      "ffffffff-ffff-4fff-bfff-ffffffffffff}",
    "{'l x': [], 'u': NULL}",
  ),
  kind("json", "VARCHAR", '{"n": 12345678901234567890.5, "m": [1, null]}', '"text"', "1", "true", "[]"),
];
