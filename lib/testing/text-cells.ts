import cases from "./text-cells.json" with { type: "json" };

/** A column's type, and its values as DuckDB prints them. */
export interface ColumnRead {
  type: string;
  values: (string | null)[];
}

/** A column of text cells, with what each door must make of it. A bare empty cell is null. */
export interface CellsCase {
  name: string;
  cells: string[];
  /** By publishing the file. */
  published: ColumnRead;
  /** By a run of the steps that an inspection proposes, where it is another column than the published one. */
  proposed?: ColumnRead;
  /** Words that the inspection's warnings must contain. Without them, there must be no warning. */
  warns?: string[];
}

/** THE table of text cells. The values were worked out with Python's decimal and datetime, before the code. */
export const CELLS_CASES: readonly CellsCase[] = cases;

/** Columns of one file that decide together what their marks mean. */
export interface MarksCase {
  name: string;
  delimiter: string;
  columns: Record<string, string[]>;
  /** Types by column; absent if publishing must refuse the file and ask for the type of `refused`. */
  published?: Record<string, string>;
  refused?: string;
  /** Proposed types and values by column. */
  proposed: Record<string, ColumnRead>;
  /** Columns about which a person must be asked. */
  asked: string[];
}

const text = (...values: string[]): ColumnRead => ({ type: "string", values });
const WORDS = text("A", "B", "C");
const words = ["A", "B", "C"];
const THREES = ["1.234", "12.500", "900.125"];
const COMMAS = ["1,234", "12,500", "900,125"];

export const MARKS_CASES: readonly MarksCase[] = [
  {
    name: "three digits after each point, beside semicolons",
    ...{ delimiter: ";", columns: { city: words, pop: THREES }, refused: "pop" },
    ...{ proposed: { city: WORDS, pop: text(...THREES) }, asked: ["pop"] },
  },
  {
    name: "three digits after each point, beside semicolons and a decimal comma",
    ...{ delimiter: ";", columns: { rate: ["0,5", "1,25", "7"], pop: THREES }, refused: "pop" },
    proposed: {
      rate: { type: "float64", values: ["0.5", "1.25", "7.0"] },
      pop: { type: "int64", values: ["1234", "12500", "900125"] },
    },
    asked: [],
  },
  {
    name: "three digits after each point, beside semicolons and a decimal point",
    ...{ delimiter: ";", columns: { rate: ["0.5", "1.25", "7"], pop: THREES } },
    published: { rate: "float64", pop: "float64" },
    proposed: {
      rate: { type: "float64", values: ["0.5", "1.25", "7.0"] },
      pop: { type: "float64", values: ["1.234", "12.5", "900.125"] },
    },
    asked: [],
  },
  {
    name: "three digits after each point, beside decimal points and decimal commas",
    ...{ delimiter: ";", columns: { a: ["0.5", "1.25", "7"], b: ["0,5", "1,25", "7"], pop: THREES }, refused: "pop" },
    proposed: {
      a: { type: "float64", values: ["0.5", "1.25", "7.0"] },
      b: { type: "float64", values: ["0.5", "1.25", "7.0"] },
      pop: text(...THREES),
    },
    asked: ["pop"],
  },
  {
    name: "three digits after each point, beside commas",
    ...{ delimiter: ",", columns: { city: words, pop: THREES }, published: { city: "string", pop: "float64" } },
    proposed: { city: WORDS, pop: { type: "float64", values: ["1.234", "12.5", "900.125"] } },
    asked: [],
  },
  {
    name: "three digits after each comma, beside tabs",
    ...{ delimiter: "\t", columns: { city: words, pop: COMMAS }, published: { city: "string", pop: "string" } },
    ...{ proposed: { city: WORDS, pop: text(...COMMAS) }, asked: ["pop"] },
  },
  {
    name: "three digits after each comma, beside semicolons",
    ...{ delimiter: ";", columns: { city: words, pop: COMMAS }, published: { city: "string", pop: "string" } },
    ...{ proposed: { city: WORDS, pop: text(...COMMAS) }, asked: ["pop"] },
  },
  {
    name: "three digits after each comma, beside tabs and a decimal point",
    delimiter: "\t",
    columns: { rate: ["0.5", "1.25", "7"], pop: COMMAS },
    published: { rate: "float64", pop: "string" },
    proposed: {
      rate: { type: "float64", values: ["0.5", "1.25", "7.0"] },
      pop: { type: "int64", values: ["1234", "12500", "900125"] },
    },
    asked: [],
  },
  {
    name: "three digits after each comma, beside tabs and a decimal comma",
    delimiter: "\t",
    columns: { rate: ["0,5", "1,25", "7"], pop: COMMAS },
    published: { rate: "string", pop: "string" },
    proposed: {
      rate: { type: "float64", values: ["0.5", "1.25", "7.0"] },
      pop: { type: "float64", values: ["1.234", "12.5", "900.125"] },
    },
    asked: [],
  },
  {
    name: "an eighth and its like, beside semicolons",
    ...{ delimiter: ";", columns: { station: words, level: ["0,125", "1,250", "12,500"] } },
    published: { station: "string", level: "string" },
    proposed: { station: WORDS, level: { type: "float64", values: ["0.125", "1.25", "12.5"] } },
    asked: [],
  },
];
