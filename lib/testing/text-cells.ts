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
export const CELLS_CASES: readonly CellsCase[] = [
  { name: "integers", cells: ["1", "-20", "0", "9223372036854775807"], published: { type: "int64", values: ["1", "-20", "0", "9223372036854775807"] } },
  { name: "integers beyond 64 bits", cells: ["9223372036854775808", "1", "-99999999999999999999999999999999999999"], published: { type: "decimal(38,0)", values: ["9223372036854775808", "1", "-99999999999999999999999999999999999999"] } },
  { name: "integers beyond 38 digits", cells: ["999999999999999999999999999999999999999", "1"], published: { type: "string", values: ["999999999999999999999999999999999999999", "1"] }, warns: ["text"] },
  { name: "decimals", cells: ["12.50", "0.1", "-3.75", "100"], published: { type: "float64", values: ["12.5", "0.1", "-3.75", "100.0"] } },
  { name: "a double by its shortest text", cells: ["0.30000000000000004", "1.7976931348623157e308", "5e-324"], published: { type: "float64", values: ["0.30000000000000004", "1.7976931348623157e+308", "5e-324"] } },
  { name: "money that no double holds", cells: ["999999999999999.99", "2.5"], published: { type: "decimal(18,2)", values: ["999999999999999.99", "2.50"] } },
  { name: "a fraction that no double holds", cells: ["1.0000000000000001", "2.5"], published: { type: "decimal(18,16)", values: ["1.0000000000000001", "2.5000000000000000"] } },
  { name: "both signs of a decimal that no double holds", cells: ["-999999999999999.99", "0.05", "7"], published: { type: "decimal(18,2)", values: ["-999999999999999.99", "0.05", "7.00"] } },
  { name: "a number too small for a double", cells: ["1e-400", "2.5"], published: { type: "string", values: ["1e-400", "2.5"] }, warns: ["float64"] },
  { name: "a number too large for a double", cells: ["1e400", "2.5"], published: { type: "string", values: ["1e400", "2.5"] }, warns: ["float64"] },
  { name: "more digits than a double prints", cells: ["0.1000000000000000055", "2.5"], published: { type: "string", values: ["0.1000000000000000055", "2.5"] }, warns: ["float64"] },
  { name: "money of more than 17 digits", cells: ["12345678901234567890.12", "0.10"], published: { type: "string", values: ["12345678901234567890.12", "0.10"] }, warns: ["float64"] },
  { name: "an integer beyond 53 bits among fractions", cells: ["9007199254740993", "0.5"], published: { type: "string", values: ["9007199254740993", "0.5"] }, warns: ["float64"] },
  { name: "a power of two beside a fraction, of which a double prints another number", cells: ["9223372036854775808", "0.5"], published: { type: "decimal(38,1)", values: ["9223372036854775808.0", "0.5"] } },
  { name: "exponents", cells: ["1e5", "1E5", "2.5e-3"], published: { type: "float64", values: ["100000.0", "100000.0", "0.0025"] } },
  { name: "points at an end", cells: [".5", "5.", "-.25"], published: { type: "float64", values: ["0.5", "5.0", "-0.25"] } },
  { name: "negative zero", cells: ["-0", "1"], published: { type: "float64", values: ["-0.0", "1.0"] } },
  { name: "not a number", cells: ["1.5", "NaN", "-inf"], published: { type: "float64", values: ["1.5", "nan", "-inf"] } },
  { name: "codes with leading zeros", cells: ["007", "12", "110"], published: { type: "string", values: ["007", "12", "110"] } },
  { name: "codes of mixed widths", cells: ["01", "001", "1"], published: { type: "string", values: ["01", "001", "1"] } },
  { name: "hexadecimal", cells: ["0x1F", "0x20"], published: { type: "string", values: ["0x1F", "0x20"] } },
  { name: "underscores", cells: ["1_000", "2_500"], published: { type: "string", values: ["1_000", "2_500"] } },
  { name: "halves", cells: ["\u00bd", "1\u00bd"], published: { type: "string", values: ["\u00bd", "1\u00bd"] } },
  { name: "full-width digits", cells: ["\uff11\uff12", "\uff13"], published: { type: "string", values: ["\uff11\uff12", "\uff13"] } },
  { name: "Arabic-Indic digits", cells: ["\u0661\u0662", "\u0663"], published: { type: "string", values: ["\u0661\u0662", "\u0663"] } },
  { name: "versions", cells: ["1.2.3", "1.10.0"], published: { type: "string", values: ["1.2.3", "1.10.0"] } },
  { name: "yes and no", cells: ["yes", "no"], published: { type: "string", values: ["yes", "no"] } },
  { name: "phone numbers", cells: ["+4930123456", "+4989654321"], published: { type: "string", values: ["+4930123456", "+4989654321"] } },
  { name: "telephone extensions", cells: ["030-12", "030-15"], published: { type: "string", values: ["030-12", "030-15"] } },
  { name: "ranges", cells: ["5-10", "10-15"], published: { type: "string", values: ["5-10", "10-15"] } },
  { name: "fractions", cells: ["1/2", "3/4"], published: { type: "string", values: ["1/2", "3/4"] } },
  { name: "truth", cells: ["TRUE", "false"], published: { type: "boolean", values: ["true", "false"] } },
  { name: "zeros and ones", cells: ["0", "1"], published: { type: "int64", values: ["0", "1"] } },
  { name: "days without separators", cells: ["20260331", "20260401"], published: { type: "int64", values: ["20260331", "20260401"] } },
  { name: "US thousands", cells: ["1,234.5", "12,345,678.25", "999"], published: { type: "string", values: ["1,234.5", "12,345,678.25", "999"] }, proposed: { type: "float64", values: ["1234.5", "12345678.25", "999.0"] } },
  { name: "US thousands without decimals", cells: ["1,234", "1,234,567"], published: { type: "string", values: ["1,234", "1,234,567"] }, proposed: { type: "int64", values: ["1234", "1234567"] } },
  { name: "German thousands", cells: ["1.234,5", "12.345.678,25", "999"], published: { type: "string", values: ["1.234,5", "12.345.678,25", "999"] }, proposed: { type: "float64", values: ["1234.5", "12345678.25", "999.0"] } },
  { name: "German thousands without decimals", cells: ["1.234", "1.234.567"], published: { type: "string", values: ["1.234", "1.234.567"] }, proposed: { type: "int64", values: ["1234", "1234567"] } },
  { name: "decimal commas", cells: ["0,125", "1,250", "12,500"], published: { type: "string", values: ["0,125", "1,250", "12,500"] }, proposed: { type: "float64", values: ["0.125", "1.25", "12.5"] } },
  { name: "decimal commas of several lengths", cells: ["1,5", "22,75"], published: { type: "string", values: ["1,5", "22,75"] }, proposed: { type: "float64", values: ["1.5", "22.75"] } },
  { name: "decimal comma after four digits", cells: ["1234,567", "12,345"], published: { type: "string", values: ["1234,567", "12,345"] }, proposed: { type: "float64", values: ["1234.567", "12.345"] } },
  { name: "French thousands with no-break spaces", cells: ["1\u00a0234,5", "2\u00a0000,25"], published: { type: "string", values: ["1\u00a0234,5", "2\u00a0000,25"] }, proposed: { type: "float64", values: ["1234.5", "2000.25"] } },
  { name: "French thousands with narrow no-break spaces", cells: ["1\u202f234", "12\u202f345\u202f678"], published: { type: "string", values: ["1\u202f234", "12\u202f345\u202f678"] }, proposed: { type: "int64", values: ["1234", "12345678"] } },
  { name: "Swedish thousands with plain and no-break spaces", cells: ["1 234,5", "12\u00a0345,5"], published: { type: "string", values: ["1 234,5", "12\u00a0345,5"] }, proposed: { type: "float64", values: ["1234.5", "12345.5"] } },
  { name: "Swiss thousands", cells: ["1'234.5", "12'345'678.25"], published: { type: "string", values: ["1'234.5", "12'345'678.25"] }, proposed: { type: "float64", values: ["1234.5", "12345678.25"] } },
  { name: "Swiss thousands with typographic apostrophes", cells: ["1\u2019234.50", "12'345.25"], published: { type: "string", values: ["1\u2019234.50", "12'345.25"] }, proposed: { type: "float64", values: ["1234.5", "12345.25"] } },
  { name: "Indian thousands", cells: ["12,34,567.8", "1,234"], published: { type: "string", values: ["12,34,567.8", "1,234"] }, proposed: { type: "float64", values: ["1234567.8", "1234.0"] } },
  { name: "Portuguese thousands", cells: ["1.234.567,89", "-1.234,5"], published: { type: "string", values: ["1.234.567,89", "-1.234,5"] }, proposed: { type: "float64", values: ["1234567.89", "-1234.5"] } },
  { name: "signs of both kinds", cells: ["+5", "-3", "+12"], published: { type: "string", values: ["+5", "-3", "+12"] }, proposed: { type: "int64", values: ["5", "-3", "12"] } },
  { name: "signs of both kinds, decimal commas", cells: ["+0,5", "-3,25"], published: { type: "string", values: ["+0,5", "-3,25"] }, proposed: { type: "float64", values: ["0.5", "-3.25"] } },
  { name: "the minus sign of Unicode", cells: ["\u22125", "3"], published: { type: "string", values: ["\u22125", "3"] }, proposed: { type: "int64", values: ["-5", "3"] } },
  { name: "a minus at the end", cells: ["5-", "12.5"], published: { type: "string", values: ["5-", "12.5"] }, proposed: { type: "float64", values: ["-5.0", "12.5"] }, warns: ["5-"] },
  { name: "brackets around negative numbers", cells: ["(5.25)", "12.5"], published: { type: "string", values: ["(5.25)", "12.5"] }, proposed: { type: "float64", values: ["-5.25", "12.5"] }, warns: ["(5.25)"] },
  { name: "percent", cells: ["12.5%", "7 %"], published: { type: "string", values: ["12.5%", "7 %"] }, proposed: { type: "float64", values: ["12.5", "7.0"] }, warns: ["%"] },
  { name: "currency in front", cells: ["\u20ac5", "\u20ac12.50"], published: { type: "string", values: ["\u20ac5", "\u20ac12.50"] }, proposed: { type: "float64", values: ["5.0", "12.5"] }, warns: ["\u20ac"] },
  { name: "currency behind", cells: ["5,25 \u20ac", "1.234,50 \u20ac"], published: { type: "string", values: ["5,25 \u20ac", "1.234,50 \u20ac"] }, proposed: { type: "float64", values: ["5.25", "1234.5"] }, warns: ["\u20ac"] },
  { name: "money that no double holds, with thousands", cells: ["999,999,999,999,999.99", "2.5"], published: { type: "string", values: ["999,999,999,999,999.99", "2.5"] }, proposed: { type: "decimal(18,2)", values: ["999999999999999.99", "2.50"] } },
  { name: "two currencies", cells: ["\u20ac5", "$6"], published: { type: "string", values: ["\u20ac5", "$6"] } },
  { name: "leading zeros before a comma", cells: ["01,5", "2,5"], published: { type: "string", values: ["01,5", "2,5"] } },
  { name: "groups of the wrong size", cells: ["1,23,4", "5,67,8"], published: { type: "string", values: ["1,23,4", "5,67,8"] } },
  { name: "both marks as decimals", cells: ["1.5", "2,5"], published: { type: "string", values: ["1.5", "2,5"] } },
  { name: "a cell that is no number among many", cells: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59", "12 (estimate)"], published: { type: "string", values: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59", "12 (estimate)"] }, warns: ["12 (estimate)", "row 60"] },
  { name: "a cell of one blank", cells: ["52", "41", " ", "99", ""], published: { type: "string", values: ["52", "41", " ", "99", null] }, proposed: { type: "int64", values: ["52", "41", null, "99", null] }, warns: ["row 3", "blank"] },
  { name: "blanks around numbers", cells: [" 5", "12 ", "\u00a07"], published: { type: "string", values: [" 5", "12 ", "\u00a07"] }, proposed: { type: "int64", values: ["5", "12", "7"] } },
  { name: "numbers and NA", cells: ["1.5", "NA", "7.25", "NA"], published: { type: "string", values: ["1.5", "NA", "7.25", "NA"] }, proposed: { type: "float64", values: ["1.5", null, "7.25", null] }, warns: ["NA", "2", "row 2"] },
  { name: "numbers and n/a", cells: ["1.5", "n/a", "7.25", "n/a"], published: { type: "string", values: ["1.5", "n/a", "7.25", "n/a"] }, proposed: { type: "float64", values: ["1.5", null, "7.25", null] }, warns: ["n/a", "2", "row 2"] },
  { name: "numbers and -", cells: ["1.5", "-", "7.25", "-"], published: { type: "string", values: ["1.5", "-", "7.25", "-"] }, proposed: { type: "float64", values: ["1.5", null, "7.25", null] }, warns: ["-", "2", "row 2"] },
  { name: "numbers and .", cells: ["1.5", ".", "7.25", "."], published: { type: "string", values: ["1.5", ".", "7.25", "."] }, proposed: { type: "float64", values: ["1.5", null, "7.25", null] }, warns: [".", "2", "row 2"] },
  { name: "numbers and ..", cells: ["1.5", "..", "7.25", ".."], published: { type: "string", values: ["1.5", "..", "7.25", ".."] }, proposed: { type: "float64", values: ["1.5", null, "7.25", null] }, warns: ["..", "2", "row 2"] },
  { name: "numbers and NULL", cells: ["1.5", "NULL", "7.25", "NULL"], published: { type: "string", values: ["1.5", "NULL", "7.25", "NULL"] }, proposed: { type: "float64", values: ["1.5", null, "7.25", null] }, warns: ["NULL", "2", "row 2"] },
  { name: "numbers and None", cells: ["1.5", "None", "7.25", "None"], published: { type: "string", values: ["1.5", "None", "7.25", "None"] }, proposed: { type: "float64", values: ["1.5", null, "7.25", null] }, warns: ["None", "2", "row 2"] },
  { name: "numbers and #N/A", cells: ["1.5", "#N/A", "7.25", "#N/A"], published: { type: "string", values: ["1.5", "#N/A", "7.25", "#N/A"] }, proposed: { type: "float64", values: ["1.5", null, "7.25", null] }, warns: ["#N/A", "2", "row 2"] },
  { name: "numbers and x", cells: ["1.5", "x", "7.25", "x"], published: { type: "string", values: ["1.5", "x", "7.25", "x"] }, proposed: { type: "float64", values: ["1.5", null, "7.25", null] }, warns: ["x", "2", "row 2"] },
  { name: "the code of Namibia", cells: ["NA", "NO", "SE"], published: { type: "string", values: ["NA", "NO", "SE"] } },
  { name: "marks in a column of text", cells: ["-", "x", "a word", "NULL"], published: { type: "string", values: ["-", "x", "a word", "NULL"] } },
  { name: "only tokens", cells: ["NA", "NA"], published: { type: "string", values: ["NA", "NA"] } },
  { name: "only blanks", cells: [" ", "  "], published: { type: "string", values: [" ", "  "] } },
  { name: "days", cells: ["2024-02-29", "0001-01-01"], published: { type: "date", values: ["2024-02-29", "0001-01-01"] } },
  { name: "instants with Z", cells: ["2026-10-01T03:31:00Z", "2026-10-01T03:31Z"], published: { type: "timestamp", values: ["2026-10-01 03:31:00+00", "2026-10-01 03:31:00+00"] } },
  { name: "instants with milliseconds", cells: ["2026-10-01T03:31:00.000Z", "2026-10-01T03:31:00.250Z"], published: { type: "timestamp", values: ["2026-10-01 03:31:00+00", "2026-10-01 03:31:00.25+00"] } },
  { name: "instants with microseconds", cells: ["2026-10-01T03:31:00.123456Z"], published: { type: "timestamp", values: ["2026-10-01 03:31:00.123456+00"] } },
  { name: "instants with a blank", cells: ["2026-10-01 03:31:00", "2026-10-01 03:31"], published: { type: "timestamp", values: ["2026-10-01 03:31:00+00", "2026-10-01 03:31:00+00"] } },
  { name: "offsets", cells: ["2026-10-01T03:31:00+05:30", "2026-10-01T03:31:00-07", "2026-10-01T03:31:00+0000"], published: { type: "timestamp", values: ["2026-09-30 22:01:00+00", "2026-10-01 10:31:00+00", "2026-10-01 03:31:00+00"] } },
  { name: "the widest offsets that were ever in use", cells: ["1840-01-01T03:31:00-15:56", "1840-01-01T03:31:00+15:13"], published: { type: "timestamp", values: ["1840-01-01 19:27:00+00", "1839-12-31 12:18:00+00"] } },
  { name: "offsets of today's ends", cells: ["2026-10-01T03:31:00+14:00", "2026-10-01T03:31:00-12:00"], published: { type: "timestamp", values: ["2026-09-30 13:31:00+00", "2026-10-01 15:31:00+00"] } },
  { name: "offsets with 75 minutes", cells: ["2024-01-05T10:00:00+02:75"], published: { type: "string", values: ["2024-01-05T10:00:00+02:75"] } },
  { name: "offsets with 99 minutes", cells: ["2024-01-05T10:00:00-00:99"], published: { type: "string", values: ["2024-01-05T10:00:00-00:99"] } },
  { name: "offsets of 25 hours", cells: ["2024-01-05T10:00:00+25:00"], published: { type: "string", values: ["2024-01-05T10:00:00+25:00"] } },
  { name: "offsets of 16 hours", cells: ["2024-01-05T10:00:00+16:00"], published: { type: "string", values: ["2024-01-05T10:00:00+16:00"] } },
  { name: "offsets of 99 hours", cells: ["2024-01-05T10:00:00+99:00"], published: { type: "string", values: ["2024-01-05T10:00:00+99:00"] } },
  { name: "offsets without a colon that do not exist", cells: ["2024-01-05T10:00:00+0275"], published: { type: "string", values: ["2024-01-05T10:00:00+0275"] } },
  { name: "leap seconds", cells: ["2016-12-31T23:59:60Z"], published: { type: "string", values: ["2016-12-31T23:59:60Z"] } },
  { name: "the end of a day", cells: ["2024-01-01T24:00:00Z"], published: { type: "string", values: ["2024-01-01T24:00:00Z"] } },
  { name: "a 30 February", cells: ["2024-02-30", "2024-02-28"], published: { type: "string", values: ["2024-02-30", "2024-02-28"] } },
  { name: "the year zero", cells: ["0000-01-01"], published: { type: "string", values: ["0000-01-01"] } },
  { name: "an hour 25", cells: ["2024-01-01T25:00:00Z"], published: { type: "string", values: ["2024-01-01T25:00:00Z"] } },
  { name: "nanoseconds", cells: ["2024-01-01 10:00:00.1234567"], published: { type: "string", values: ["2024-01-01 10:00:00.1234567"] } },
  { name: "days with points", cells: ["01.10.2026", "31.12.2026"], published: { type: "string", values: ["01.10.2026", "31.12.2026"] }, proposed: { type: "date", values: ["2026-10-01", "2026-12-31"] } },
  { name: "days with slashes, the day first", cells: ["31/03/2026", "01/04/2026"], published: { type: "string", values: ["31/03/2026", "01/04/2026"] }, proposed: { type: "date", values: ["2026-03-31", "2026-04-01"] } },
  { name: "days with slashes, the month first", cells: ["03/31/2026", "04/01/2026"], published: { type: "string", values: ["03/31/2026", "04/01/2026"] }, proposed: { type: "date", values: ["2026-03-31", "2026-04-01"] } },
  { name: "days with slashes, the year first", cells: ["2026/03/31"], published: { type: "string", values: ["2026/03/31"] }, proposed: { type: "date", values: ["2026-03-31"] } },
  { name: "days with hyphens, the day first", cells: ["31-03-2026", "01-04-2026"], published: { type: "string", values: ["31-03-2026", "01-04-2026"] }, proposed: { type: "date", values: ["2026-03-31", "2026-04-01"] } },
  { name: "days with short months", cells: ["31 Mar 2026", "1 Apr 2026"], published: { type: "string", values: ["31 Mar 2026", "1 Apr 2026"] }, proposed: { type: "date", values: ["2026-03-31", "2026-04-01"] } },
  { name: "days with long months", cells: ["March 31, 2026", "April 1, 2026"], published: { type: "string", values: ["March 31, 2026", "April 1, 2026"] }, proposed: { type: "date", values: ["2026-03-31", "2026-04-01"] } },
  { name: "days with short months and hyphens", cells: ["31-Mar-2026"], published: { type: "string", values: ["31-Mar-2026"] }, proposed: { type: "date", values: ["2026-03-31"] } },
  { name: "days and minutes with points", cells: ["01.10.2026 03:31"], published: { type: "string", values: ["01.10.2026 03:31"] }, proposed: { type: "timestamp", values: ["2026-10-01 03:31:00+00"] } },
  { name: "days and seconds with points", cells: ["01.10.2026 03:31:59"], published: { type: "string", values: ["01.10.2026 03:31:59"] }, proposed: { type: "timestamp", values: ["2026-10-01 03:31:59+00"] } },
  { name: "American instants", cells: ["03/31/2026 1:45 PM", "03/31/2026 12:05 AM"], published: { type: "string", values: ["03/31/2026 1:45 PM", "03/31/2026 12:05 AM"] }, proposed: { type: "timestamp", values: ["2026-03-31 13:45:00+00", "2026-03-31 00:05:00+00"] } },
  { name: "instants with slashes and fractions", cells: ["2026/03/31 13:45:00.25"], published: { type: "string", values: ["2026/03/31 13:45:00.25"] }, proposed: { type: "timestamp", values: ["2026-03-31 13:45:00.25+00"] } },
  { name: "days with blanks around them", cells: [" 2026-03-31", "2026-04-01 "], published: { type: "string", values: [" 2026-03-31", "2026-04-01 "] }, proposed: { type: "date", values: ["2026-03-31", "2026-04-01"] } },
  { name: "days and a token", cells: ["2026-03-31", "NA"], published: { type: "string", values: ["2026-03-31", "NA"] }, proposed: { type: "date", values: ["2026-03-31", null] }, warns: ["NA", "row 2"] },
  { name: "days or months first", cells: ["01/02/2026", "03/04/2026"], published: { type: "string", values: ["01/02/2026", "03/04/2026"] }, warns: ["person"] },
  { name: "years of two digits", cells: ["31.03.26", "01.04.26"], published: { type: "string", values: ["31.03.26", "01.04.26"] }, warns: ["person"] },
  { name: "a day with points that does not exist", cells: ["31.02.2026", "01.03.2026"], published: { type: "string", values: ["31.02.2026", "01.03.2026"] } },
  { name: "times", cells: ["13:45:00", "10:00:00.5"], published: { type: "time", values: ["13:45:00", "10:00:00.5"] } },
  { name: "times without seconds", cells: ["13:45", "00:00"], published: { type: "string", values: ["13:45", "00:00"] }, proposed: { type: "time", values: ["13:45:00", "00:00:00"] } },
  { name: "times of twelve hours", cells: ["1:45 PM", "12:05 AM"], published: { type: "string", values: ["1:45 PM", "12:05 AM"] }, proposed: { type: "time", values: ["13:45:00", "00:05:00"] } },
  { name: "the end of a day as a time", cells: ["24:00", "13:45"], published: { type: "string", values: ["24:00", "13:45"] } },
];

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
