import { isDate } from "@/lib/engine/types/filter-value";

/** Formats that `date` of the step parse takes. */
export interface DatesFound {
  type: "date" | "time" | "timestamp";
  /** Two if no cell tells day from month. */
  formats: string[];
}

interface Format {
  type: DatesFound["type"];
  format: string;
  pattern: RegExp;
}

const MONTHS = ["January", "February", "March", "April", "May", "June", "July"].concat(
  ...["August", "September", "October", "November", "December"],
);
const SHORT_CHARACTERS = 3;

/** A letter in both cases, as the step parse accepts names. */
const anyCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

const TOKENS: Readonly<Record<string, string>> = {
  "%Y": String.raw`(?<year>\d{4})`,
  "%m": "(?<month>0[1-9]|1[0-2])",
  "%-m": "(?<month>0?[1-9]|1[0-2])",
  "%d": String.raw`(?<day>0[1-9]|[12]\d|3[01])`,
  "%-d": String.raw`(?<day>0?[1-9]|[12]\d|3[01])`,
  "%b": String.raw`(?<name>${MONTHS.flatMap((name) => [name, name.slice(0, SHORT_CHARACTERS)])
    .map(anyCase)
    .join("|")})\.?`,
  "%H": String.raw`(?:[01]\d|2[0-3])`,
  "%I": "(?:0?[1-9]|1[0-2])",
  "%p": String.raw`[AaPp](?:[Mm]|\.[Mm]\.)`,
  "%M": String.raw`[0-5]\d`,
  "%S": String.raw`[0-5]\d`,
  "%f": String.raw`\d{1,6}`,
};

const DAYS = [
  ...["%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%-d.%-m.%Y", "%-d/%-m/%Y", "%-m/%-d/%Y", "%-d-%-m-%Y", "%-m-%-d-%Y"],
  ...["%-d %b %Y", "%-d-%b-%Y", "%b %-d, %Y"],
];
const SHORT_CLOCKS = ["%H:%M", "%I:%M %p", "%I:%M:%S %p"];
const CLOCKS = [...SHORT_CLOCKS, "%H:%M:%S", "%H:%M:%S.%f"];
const JOINS = [" ", "T", ", "];

const FORMATS: readonly Format[] = [
  ...DAYS.map((day) => formatOf("date", day)),
  ...DAYS.flatMap((day) => JOINS.flatMap((join) => CLOCKS.map((clock) => formatOf("timestamp", day + join + clock)))),
  ...SHORT_CLOCKS.map((clock) => formatOf("time", clock)),
];

function formatOf(type: Format["type"], format: string): Format {
  const pattern = format.replaceAll(".", String.raw`\.`).replace(/%-?[A-Za-z]/g, (token) => TOKENS[token] ?? token);
  return { type, format, pattern: new RegExp(`^${pattern}$`) };
}

function fits({ pattern }: Format, cell: string): boolean {
  const match = pattern.exec(cell);
  if (!match) return false;
  const { year, month = "", day = "", name } = match.groups ?? {};
  if (year === undefined) return true; // a time of day
  const number = name === undefined ? month : String(monthOf(name));
  return isDate(`${year}-${number.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

const monthOf = (name: string): number =>
  MONTHS.findIndex((each) => each.toLowerCase().startsWith(name.slice(0, SHORT_CHARACTERS).toLowerCase())) + 1;

const CHARACTERS_MAX = 100;
/** Digits or a month, then a sign or blank. It rules out most cells that are no dates, before all formats are tried. */
const BEGINNING = new RegExp(
  `^(?:\\d{1,4}[-./: ]|(?:${MONTHS.map((name) => anyCase(name.slice(0, SHORT_CHARACTERS))).join("|")})[A-Za-z.]{0,7} )`,
);
const candidatesOf = (cell: string | undefined): Format[] =>
  cell === undefined || cell.length > CHARACTERS_MAX || !BEGINNING.test(cell)
    ? []
    : FORMATS.filter((each) => fits(each, cell));

/** The formats that all cells have; undefined if there are none. Cells have no blanks around them. */
export function findDates(cells: readonly string[]): DatesFound | undefined {
  const found = candidatesOf(cells[0]).filter((each) => cells.every((cell) => fits(each, cell)));
  return found[0] && { type: found[0].type, formats: found.map(({ format }) => format) };
}

/** Whether a cell is a day, a time or an instant in a known format. */
export const isDated = (cell: string): boolean => candidatesOf(cell).length > 0;

const SHORT_YEAR = /^\d{1,2}([./-])\d{1,2}\1\d{2}(?:$|[ ,T])/;

/** Whether all cells have years of two digits, whose century only a person knows. */
export const haveShortYears = (cells: readonly string[]): boolean => cells.every((cell) => SHORT_YEAR.test(cell));
