import fc from "fast-check";

/**
 * A column to generate: its cells are drawn from `pool` (DuckDB strings; null for null), so that there are many ties.
 */
export interface RandomColumn {
  name: string;
  type: string;
  storage: string;
  pool: (string | null)[];
  /** Whether each row has the cell of its own position in the pool, as a key does. */
  isKey?: true;
}

export interface RandomTable {
  columns: RandomColumn[];
  rows: number;
  /** Shuffles the draws. */
  seed: number;
}

interface Kind {
  type: string;
  storage: string;
  cells: string[];
  /** Filter values as JSON tokens, all within the type's range. */
  values: string[];
  /** Whether float results can be compared up to rounding. */
  isTame: boolean;
}

const kind = (type: string, storage: string, cells: string[], values: string[], isTame = true): Kind => ({
  type,
  storage,
  cells,
  values,
  isTame,
});

const TEXTS = [
  "",
  "a",
  "A",
  "ab",
  "a%b",
  "a_b",
  "%",
  "_",
  "'",
  '"',
  "\\",
  "é",
  "z",
  "日本",
  "😀",
  "\uffff",
  "007",
  "NULL",
  "a\nb",
  "\u0001",
  "İstanbul",
  "istanbul",
  "ISTANBUL",
  "ıI",
  "straße",
  "STRAẞE",
  "ΣΊΣΥΦΟΣ",
  "σίσυφος",
  "\u212Aelvin ſ",
];

/** No pool has zeros of both signs: DuckDB stores a run of only zeros as one constant with one sign. */
export const KINDS: readonly Kind[] = [
  kind("boolean", "BOOLEAN", ["true", "false"], ["true", "false"]),
  kind("int8", "TINYINT", ["-128", "0", "1", "127"], ["-128", "0", "0.5", "1e0", "127", "-0.0001"]),
  kind(
    "int32",
    "INTEGER",
    ["-2147483648", "-1", "0", "1", "2", "2147483647"],
    ["-1", "0", "1", "1.5", "2.0", "-1.5", "1e-400"],
  ),
  kind(
    "int64",
    "BIGINT",
    ["-9223372036854775808", "9007199254740992", "9007199254740993", "0", "9223372036854775807"],
    ["9007199254740993", "9007199254740992.5", "0", "9.007199254740993e15", "-9223372036854775808"],
  ),
  kind("uint8", "UTINYINT", ["0", "5", "255"], ["0", "5", "4.5", "255"]),
  kind("uint32", "UINTEGER", ["0", "4294967295", "7"], ["0", "4294967295", "6.5"]),
  kind(
    "uint64",
    "UBIGINT",
    ["0", "18446744073709551615", "9223372036854775808"],
    ["18446744073709551615", "9223372036854775808", "0.1"],
  ),
  kind(
    "float32",
    "FLOAT",
    ["0.1", "-0.0", "2.5", "16777216", "-3.25"],
    ["0.1", "0", "-0", "2.5", "0.10000000149011612"],
  ),
  kind(
    "float64",
    "DOUBLE",
    ["0.1", "0.30000000000000004", "-0.0", "1e10", "-2.25"],
    ["0.1", "0.3", "0.30000000000000004", "0", "1e10"],
  ),
  kind(
    "float64",
    "DOUBLE",
    ["nan", "inf", "-inf", "1e300", "5e-324", "-0.0", "0.1"],
    ["0", "1e300", "0.1", "1e-400"],
    false,
  ),
  kind(
    "decimal(9,2)",
    "DECIMAL(9,2)",
    ["1.50", "-1.50", "0.00", "0.01", "9999999.99"],
    ["1.5", "1.505", "0.01", "-1.5", "1.4999999999999999999999"],
  ),
  kind(
    "decimal(38,10)",
    "DECIMAL(38,10)",
    ["1234567890123456789012345678.0123456789", "-0.0000000001", "1.1"],
    ["1234567890123456789012345678.0123456789", "1.1", "-1e-11"],
  ),
  kind(
    "float64",
    "DOUBLE",
    ["0.0", "90", "-90", "180", "-180", "179.9999", "185.5", "360", "40.7128", "-74.006", "-40.7128", "105.994"],
    ["0", "90", "-180", "40.7128", "179.99991"],
  ),
  kind(
    "decimal(9,6)",
    "DECIMAL(9,6)",
    ["90.000000", "-89.999999", "89.5", "180", "-179.999999", "300.25", "12.345678"],
    ["90", "12.345678", "-180", "300.2500001"],
  ),
  kind("int16", "SMALLINT", ["-180", "-91", "-45", "0", "45", "90", "181", "360", "361"], ["0", "45", "180", "-90.5"]),
  kind("decimal(18,0)", "DECIMAL(18,0)", ["999999999999999999", "-7", "0"], ["999999999999999999", "-6.5", "0"]),
  kind(
    "string",
    "VARCHAR",
    TEXTS,
    TEXTS.map((text) => JSON.stringify(text)),
  ),
  kind(
    "date",
    "DATE",
    ["0001-01-01", "1969-12-31", "2020-02-29", "9999-12-31", "1961-01-01", "2021-01-03", "2024-12-30"],
    ['"2020-02-29"', '"0001-01-01"', '"1970-01-01"'],
  ),
  kind("time", "TIME", ["00:00:00", "23:59:59.999999", "12:00:00.5"], []),
  kind(
    "timestamp",
    "TIMESTAMP WITH TIME ZONE",
    [
      "0001-01-01 00:00:00+00",
      "1969-12-31 23:59:59.999999+00",
      "2020-01-01 00:00:00+00",
      "2020-01-01 00:00:00.5+00",
      "1959-12-28 00:00:00+00",
      "2027-01-03 23:59:59.999999+00",
    ],
    ['"2020-01-01T00:00:00Z"', '"2020-01-01T00:00:00.500Z"', '"1969-12-31T23:59:59.999999Z"'],
  ),
  kind(
    "uuid",
    "UUID",
    [
      "00000000-0000-0000-0000-000000000000",
      "80000000-0000-0000-0000-000000000001",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ],
    ['"80000000-0000-0000-0000-000000000001"', '"FFFFFFFF-ffff-ffff-ffff-ffffffffffff"'],
  ),
];

/** A table whose rows are found by the values of a column of another one, and that column. */
export interface RandomLookup {
  own: string;
  other: RandomTable;
}

/** Another table by whose key a table's columns can be looked up, or none: floats are no keys. */
export function randomLookup({ columns, seed }: RandomTable): fc.Arbitrary<RandomLookup | undefined> {
  const own = columns.filter(({ type, pool }) => !/^(float|time$)/.test(type) && pool.some((cell) => cell !== null));
  if (own.length === 0) return fc.constant(undefined);
  const lookup = fc
    .record({ own: fc.constantFrom(...own), of: fc.constantFrom(...KINDS), nulls: fc.nat(2), left: fc.nat(2) })
    .map(({ own: { name, type, storage, pool }, of, nulls, left }): RandomLookup => {
      const keys = pool.filter((cell) => cell !== null).slice(left === 0 ? 1 : 0); // the first has no partner
      const none = Array.from({ length: nulls }, () => null);
      const found = { name: "a b", type: of.type, storage: of.storage, pool: [...of.cells, ...none] };
      const key = { name: "key", type, storage, pool: keys, isKey: true as const };
      return { own: name, other: { columns: [key, found], rows: keys.length, seed: seed + 1 } };
    });
  return fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: lookup });
}

const NAMES = ["id", 'we"ird $', "ключ", "file_row_number", "rowid", "a b", "😀", "c1", "it's"];

/** Tables of 1 to 6 columns, of every scalar type, with nulls and many ties. */
export const randomTable: fc.Arbitrary<RandomTable> = fc.record({
  columns: fc
    .array(
      fc.constantFrom(...KINDS).chain((chosen) =>
        fc.record({
          chosen: fc.constant(chosen),
          cells: fc.subarray(chosen.cells, { minLength: 1 }),
          nulls: fc.constantFrom(0, 1, 3),
        }),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((columns) =>
      columns.map(({ chosen, cells, nulls }, at) => ({
        name: NAMES[at] ?? `n${at}`,
        type: chosen.type,
        storage: chosen.storage,
        pool: [...cells, ...Array.from({ length: nulls }, () => null)],
      })),
    ),
  rows: fc.constantFrom(0, 1, 2, 9, 40, 300, 6000),
  seed: fc.nat(1_000_000),
});
