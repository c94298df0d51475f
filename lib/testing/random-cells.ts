import fc from "fast-check";

const digits = (least: number, most: number) =>
  fc.array(fc.constantFrom(..."0123456789"), { minLength: least, maxLength: most }).map((each) => each.join(""));
const maybe = <T>(text: fc.Arbitrary<T>) => fc.oneof(fc.constant(""), text);
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((each) => each.join(""));

const exponent = joined(fc.constantFrom("e", "E"), fc.constantFrom("", "-", "+"), digits(1, 3));
const numbers = fc.oneof(
  joined(maybe(fc.constantFrom("-", "+", "\u2212")), digits(1, 3)),
  joined(maybe(fc.constant("-")), digits(1, 22), maybe(joined(fc.constant("."), digits(0, 20))), maybe(exponent)),
  joined(fc.constant("0."), fc.constantFrom("", "0", "000000"), digits(1, 20)),
  // as a program prints doubles and integers
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(String),
  fc.double({ min: 0, max: 1e3, noNaN: true }).map((value) => value.toFixed(2)),
  fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value.toPrecision(18)),
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }).map(String),
  fc.integer({ min: -400, max: 400 }).map((power) => `${power % 10}e${power}`),
);

const two = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, "0"));
const year = fc.oneof(
  fc.integer({ min: 1890, max: 2060 }).map(String),
  fc.constantFrom("0000", "0001", "9999", "12024", "24"),
);
const day = joined(year, fc.constant("-"), two(13), fc.constant("-"), two(32));
const clock = joined(
  two(25),
  fc.constant(":"),
  two(60),
  maybe(joined(fc.constant(":"), two(60), maybe(joined(fc.constant("."), digits(1, 7))))),
);
const zone = maybe(
  fc.oneof(
    fc.constantFrom("Z", "z", " UTC"),
    joined(fc.constantFrom("+", "-"), two(26), fc.constantFrom("", ":"), two(70)),
  ),
);
const hours = joined(fc.constantFrom("+", "-"), two(16));
const times = fc.oneof(
  day,
  clock,
  joined(day, fc.constantFrom("T", " ", "t"), clock, fc.oneof(zone, hours)),
  joined(two(32), fc.constant("."), two(13), fc.constant("."), year),
);

const WORDS = ["", "true", "FALSE", "yes", "NA", "NaN", "nan", "-inf", "Infinity", "x", "-", ".", "0x1F", "1_000"];
const words = fc.oneof(
  fc.constantFrom(...WORDS, "½", "\uff11", "\u0661", "1,5", "1.234", "2024-02-30", "{}", "[1]", "'"),
  fc.string({ unit: fc.constantFrom(..."0123456789.,-+eE:TZ _/x"), maxLength: 12 }),
);
const blank = fc.constantFrom("", "", "", "", "", " ", "\t", "\u00a0");

/** A text cell: often a number, a day, an instant or a time, in a form that exists or nearly so. */
export const randomCell: fc.Arbitrary<string> = joined(blank, fc.oneof(numbers, times, words), blank);

const TOKENS = ["", "", "NA", "-", "n/a", " "];
/** A column whose cells are of one kind, or of all; null is an empty cell. */
export const randomColumn: fc.Arbitrary<string[]> = fc
  .oneof(
    ...[numbers, numbers, times, day, clock, words, randomCell].map((kind) =>
      fc.array(kind, { minLength: 1, maxLength: 6 }),
    ),
    fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(String), { minLength: 1, maxLength: 6 }),
    fc.array(fc.integer().map(String), { minLength: 1, maxLength: 6 }),
    fc.array(joined(fc.constantFrom("2024", "1999"), fc.constantFrom("-01-02", "-11-30T10:00Z")), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .chain((cells) => fc.array(fc.constantFrom(...TOKENS), { maxLength: 2 }).map((tokens) => [...cells, ...tokens]));
