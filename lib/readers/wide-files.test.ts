import { describe, expect, test } from "vitest";
import { type Outcome, type Taken, withBothDoors } from "@/lib/testing/both-doors";
import { parquetBytes } from "@/lib/testing/parquet-bytes";
import { workbook } from "@/lib/testing/ugly-files/workbook";
import { COLUMNS_MAX } from "./columns-max";

type Cell = (row: number, column: number) => string;

const csvOf = (columns: readonly number[], rows: number, cell: Cell): Uint8Array =>
  Buffer.from(
    [
      columns.map((column) => `c${column}`),
      ...Array.from({ length: rows }, (_, row) => columns.map((column) => cell(row, column))),
    ]
      .map((cells) => `${cells.join(",")}\n`)
      .join(""),
  );

const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, at) => from + at);

const parquetOf = (columns: number): Uint8Array =>
  parquetBytes(Object.fromEntries(numbers(columns).map((at) => [`c${at}`, { leaf: { type: "INT32" }, values: [at] }])));

function workbookOf(columns: number): Promise<Uint8Array> {
  const rowOf = (row: number) =>
    `<row r="${row}">${numbers(columns)
      .map((at) => `<c><v>${at * row}</v></c>`)
      .join("")}</row>`;
  return workbook({ sheets: [{ name: "Wide", data: rowOf(1) + rowOf(2) }] });
}

/** Columns of every type; of some, a late cell decides. */
const KINDS: readonly ((row: number) => string)[] = [
  (row) => String(row * 31),
  (row) => (row === 39 ? "late text" : String(row)),
  (row) => (row === 35 ? "9223372036854775808" : String(row)),
  (row) => (row % 2 === 0 ? "-0.0" : "0.0"),
  (row) => (row % 7 === 0 ? "" : `2024-01-${String(1 + (row % 28)).padStart(2, "0")}`),
  (row) => (row % 3 === 0 ? "true" : "false"),
  (row) => `2024-05-01T00:00:${String(row % 60).padStart(2, "0")}Z`,
  (row) => (row === 38 ? "0.12345678901234567890" : "0.25"),
  () => "",
  (row) => `text ${row % 5}`,
];
const cellOf: Cell = (row, column) => KINDS[column % KINDS.length]?.(row) ?? "";

function taken(outcome: Outcome): Taken {
  if (!("columns" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome;
}

describe("wide files", () => {
  test("a column of a wide file is published as in a narrow one", async () => {
    const rows = 40;
    const repeats = 11;
    await withBothDoors(async ({ publish }) => {
      const narrow = taken(await publish("narrow.csv", csvOf(numbers(KINDS.length), rows, cellOf)));
      const wide = taken(await publish("wide.csv", csvOf(numbers(repeats * KINDS.length), rows, cellOf)));
      const repeated = <T>(cells: readonly T[]) => Array.from({ length: repeats }, () => cells).flat();
      expect(wide.columns.map(({ type }) => type)).toEqual(repeated(narrow.columns.map(({ type }) => type)));
      expect(wide.rows).toEqual(narrow.rows.map(repeated));
    });
  });

  test("a wide file of records in JSON is published with every value", async () => {
    const records = numbers(3).map((row) => Object.fromEntries(numbers(150).map((at) => [`m${at}`, row * at])));
    await withBothDoors(async ({ publish }) => {
      const wide = taken(await publish("wide.json", Buffer.from(JSON.stringify(records))));
      expect(wide.rows).toEqual(records.map((record) => Object.values(record).map(String)));
      expect(new Set(wide.columns.map(({ type }) => type))).toEqual(new Set(["int64"]));
    });
  });

  test("5,000 columns are published with every value", async () => {
    const cell: Cell = (row, column) => (column % 2 === 0 ? String(row * 5_000 + column) : `${row} of ${column}`);
    await withBothDoors(async ({ publish }) => {
      const { columns, rows } = taken(await publish("wide.csv", csvOf(numbers(5_000), 3, cell)));
      expect(columns.map(({ type }) => type)).toEqual(numbers(5_000).map((at) => (at % 2 === 0 ? "int64" : "string")));
      expect(rows).toEqual(numbers(3).map((row) => numbers(5_000).map((column) => cell(row, column))));
    });
  });

  test("more columns than a table may have are refused by their number, at both doors", async () => {
    const many = COLUMNS_MAX + 1;
    const record = Object.fromEntries(numbers(many).map((at) => [`m${at}`, at]));
    const files: [string, Uint8Array][] = [
      ["wide.csv", csvOf(numbers(many), 2, String)],
      [
        "wide.tsv",
        Buffer.from(
          Buffer.from(csvOf(numbers(many), 2, String))
            .toString()
            .replaceAll(",", "\t"),
        ),
      ],
      ["wide.json", Buffer.from(JSON.stringify([record]))],
      ["wide.ndjson", Buffer.from(`${JSON.stringify(record)}\n`)],
      ["wide.parquet", parquetOf(many)],
      ["wide.xlsx", await workbookOf(many)],
    ];
    await withBothDoors(async (doors) => {
      // workbooks are read by recipes only
      for (const [name, content] of files)
        for (const door of name === "wide.xlsx" ? [doors.recipe] : [doors.publish, doors.recipe]) {
          const refused = expect.stringContaining(
            `${many} columns, and a table may have ${COLUMNS_MAX}. Write one row`,
          );
          expect(await door(name, content)).toMatchObject({ refused });
        }
    });
  });

  test("a first line without an end in sight is refused by the columns that it has until there", async () => {
    await withBothDoors(async ({ publish }) => {
      const outcome = await publish("wide.csv", csvOf(numbers(200_000), 1, String));
      expect(outcome).toMatchObject({ refused: expect.stringMatching(/has at least 1\d{5} columns/) });
    });
  });
});
