import { CLOCK, matches, SECONDS, tryCast } from "./cell-sql";
import { type ColumnType, type GuessedForm, plainTypes } from "./column-type";
import { DATE_CELL } from "./dates";
import { isDate, readTimestamp } from "./filter-value";
import { orderTexts } from "./text-order";

/** Microseconds from the first instant that a timestamp can be, that of the year 1, to 1970. */
export const FIRST_INSTANT_US = 62_135_596_800_000_000n;
const ZONED = "TIMESTAMP WITH TIME ZONE";
const FIRST = "TIMESTAMPTZ '0001-01-01 00:00:00+00'";
const LAST = "TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'";
/**
 * The offset of a zone, after its sign. The widest in the history of time zones is -15:56 (Manila until 1844), and
 * PostgreSQL's limit is 15:59 too. DuckDB computes with any digits, such as +25:75.
 */
export const OFFSET = "(?:0[0-9]|1[0-5])(?::?[0-5][0-9])?";
const INSTANT = `[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]${CLOCK}(${SECONDS})?(Z|[-+]${OFFSET})?`;
const INSTANT_PARTS = new RegExp(`^(.{10})[T ](${CLOCK})(?:(:[0-5][0-9])(?:\\.[0-9]{1,6})?)?(?:Z|([-+])(${OFFSET}))?$`);

/**
 * Adds seconds to a time without them, as DuckDB rejects `10:00Z`. With 20 or more than 22 characters, it has seconds.
 */
const withSeconds = (x: string) =>
  `(CASE WHEN strlen(${x}) = 20 OR strlen(${x}) > 22 OR substr(${x}, 17, 1) = ':' THEN ${x} ELSE ` +
  `substr(${x}, 1, 16) || ':00' || substr(${x}, 17) END)`;
const instant = (x: string) => tryCast(withSeconds(x), "TIMESTAMPTZ");

/** Whether it is written as databases and JSON do. This check takes half as long as the pattern. */
const isUsual = (x: string, v: string) => {
  const printed = `make_timestamp(epoch_us(${v}))::VARCHAR`;
  return `${x} = CASE WHEN ends_with(${x}, 'Z') THEN replace(${printed}, ' ', 'T') || 'Z' ELSE ${printed} || '+00' END`;
};

const GUESSED: GuessedForm = {
  value: instant,
  fits: (x, v) =>
    `(coalesce(${v} BETWEEN ${FIRST} AND ${LAST}, false) AND ` +
    `CASE WHEN ${isUsual(x, v)} THEN true ELSE ${matches(x, INSTANT)} END)`,
  matches: isInstant,
};

export const TIMESTAMP: ColumnType = {
  name: "timestamp",
  family: "timestamp",
  duckdb: ZONED,
  alsoStored: ["TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"],
  json: { kind: "string", value: timestampValue },
  columnar: { kind: "timestamp" },
  readFilter: readTimestamp,
  compareTexts: (a, b) => orderTexts(padded(a), padded(b)),
  source: {
    /** A date without a time stands for its midnight. */
    declared: {
      value: (x) => `CASE WHEN length(${x}) = 10 THEN ${tryCast(x, "TIMESTAMPTZ")} ELSE ${instant(x)} END`,
      fits: (x, v) => `(${GUESSED.fits(x, v)} OR ${DATE_CELL.fits(x, tryCast(x, "DATE"))})`,
    },
    guessed: GUESSED,
    range: [FIRST, LAST],
    isKey: true,
  },
  profile: { isOrdered: true, isCounted: true, histogram: "instant" },
  view: {
    measure: "time",
    editor: "text",
    order: "instants",
    hint: "2001-01-31 or 2001-01-31 12:00",
    usual: "gte",
    width: 24,
    isInstant: true,
    literal: (quoted) => `TIMESTAMPTZ ${quoted}`,
  },
  vocabulary: {
    croissant: "sc:DateTime",
    frictionless: { type: "datetime" },
    form: "`YYYY-MM-DDThh:mm:ssZ`, UTC, with up to six fractional digits",
    example: '"2001-01-01T00:01:00Z"',
  },
};

/** DuckDB's name for the type in which a read copy stores a column that the Parquet file stores as `storage`. */
export const copiedStorage = (storage: string): string => (storage === ZONED ? "TIMESTAMP" : storage);

/** SQL of a Parquet file's value as a read copy stores it: instants without a zone, which DuckDB processes faster. */
export const copiedSql = (ref: string, storage: string): string => (storage === ZONED ? utcSql(ref, storage) : ref);

/** SQL: whether a column of a read copy, by its DuckDB type, is stored as `copiedStorage` says. */
export const isCopiedSql = (storage: string): string => `${storage} <> '${ZONED}'`;

/** SQL of an instant as a timestamp without a zone. */
export function utcSql(ref: string, storage: string): string {
  if (storage === "TIMESTAMP") return ref;
  return storage === ZONED ? `make_timestamp(epoch_us(${ref}))` : `CAST(${ref} AS TIMESTAMP)`;
}

function isInstant(text: string): boolean {
  const [, day = "", clock, , seconds = ":00", sign, offset = ""] = INSTANT_PARTS.exec(text) ?? [];
  if (!isDate(day)) return false;
  const digits = offset.replace(":", "").padEnd(4, "0");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  const at = Date.parse(`${day}T${clock}${seconds}Z`) - (sign === "-" ? -1 : 1) * minutes * 60_000;
  return at >= Date.parse("0001-01-01T00:00:00Z") && at <= Date.parse("9999-12-31T23:59:59Z");
}

function timestampValue(ref: string, storage: string): string {
  const utc = utcSql(ref, storage);
  return (
    `CASE WHEN epoch_us(${ref}) % 1000000 = 0 THEN strftime(${utc}, '%Y-%m-%dT%H:%M:%SZ') ELSE strftime(${utc}, ` +
    "'%Y-%m-%dT%H:%M:%S.%fZ') END"
  );
}

/** Pads to the microsecond, without a zone, so that strings sort like instants. */
function padded(text: string): string {
  return text
    .replace(/\+00(:00)?$/, "")
    .padEnd(19, ":00")
    .replace(/^(.{19})$/, "$1.")
    .padEnd(26, "0");
}

export const TIMESTAMPS = plainTypes("timestamp", TIMESTAMP);
