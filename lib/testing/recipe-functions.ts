import { createHash } from "node:crypto";
import { addTime, type Evaluated, nullOf, RECIPE_TIMES, strict } from "./recipe-times";
import {
  asFloat,
  common,
  compareValues,
  floorDiv,
  floorMod,
  magnitude,
  rescaled,
  type Typed,
  typed,
} from "./recipe-values";

const isFloat = (args: readonly Typed[]) => args.some(({ family }) => family === "float");

const floats =
  (work: (...values: number[]) => number): Evaluated =>
  (...args) => {
    if (args.some(({ value }) => value === null)) return nullOf("float");
    const result = work(...args.map((each) => asFloat(each) as number));
    return typed("float", Number.isNaN(result) ? null : result);
  };

function summed(sign: 1n | -1n): Evaluated {
  return (...args) => {
    const [first, ...rest] = common(args) as [Typed, ...Typed[]];
    if (args.some(({ value }) => value === null)) return { ...first, value: null };
    if (first.family === "float")
      return typed(
        "float",
        rest.reduce((sum, { value }) => sum + Number(sign) * Number(value), Number(first.value)),
      );
    const total = rest.reduce((sum, { value }) => sum + sign * (value as bigint), first.value as bigint);
    return { ...first, value: total };
  };
}

const product: Evaluated = (...args) => {
  const scale = args.reduce((sum, each) => sum + each.scale, 0);
  const family = isFloat(args) ? "float" : args.some((each) => each.family === "dec") ? "dec" : "int";
  if (args.some(({ value }) => value === null)) return typed(family, null, family === "dec" ? scale : 0);
  if (family === "float")
    return typed(
      family,
      args.reduce((all, each) => all * Number(asFloat(each)), 1),
    );
  return typed(
    family,
    args.reduce((all, { value }) => all * (value as bigint), 1n),
    scale,
  );
};

/** In the number's own type: `whole` works on its units, given the unit that equals one. */
const own =
  (whole: (value: bigint, one: bigint) => bigint, float: (value: number) => number): Evaluated =>
  (x) => {
    if (x.value === null) return x;
    if (x.family === "float") return typed("float", float(x.value as number));
    return { ...x, value: whole(x.value as bigint, 10n ** BigInt(x.scale)) };
  };

const round: Evaluated = (x, digits = typed("int", 0n)) => {
  if (x.value === null) return x;
  const places = Number(digits.value);
  if (x.family === "float") {
    const value = Math.abs(x.value as number) * 10 ** places;
    return typed("float", (Math.sign(x.value as number) * Math.floor(value + 0.5)) / 10 ** places);
  }
  if (places >= x.scale) return x;
  return { ...x, value: rescaled(x.value as bigint, x.scale, places) * 10n ** BigInt(x.scale - places) };
};

const extreme =
  (sign: 1 | -1): Evaluated =>
  (...args) => {
    const all = common(args);
    const present = all.filter(({ value }) => value !== null);
    const best = present.reduce<Typed | undefined>(
      (found, each) => (found && sign * compareValues(each.value as string, found.value as string) <= 0 ? found : each),
      undefined,
    );
    return best ?? { ...(all[0] as Typed), value: null };
  };

const compared =
  (holds: (order: number) => boolean): Evaluated =>
  (...args) => {
    const [a, b] = common(args) as [Typed, Typed];
    if (a.value === null || b.value === null) return nullOf("bool");
    return typed("bool", holds(compareValues(a.value, b.value)));
  };

const signs = (text: string): string[] => Array.from(text);
const BLANK_ENDS = /^[\p{Z}\t-\r\u0085]+|[\p{Z}\t-\r\u0085]+$/gu;
const plainLetters = (text: string): string => text.normalize("NFD").replace(/\p{Mn}/gu, "");

const extract: Evaluated = (x, pattern, group = typed("int", 0n)) => {
  if (x.value === null) return nullOf("text");
  const match = new RegExp(String(pattern?.value), "u").exec(String(x.value));
  return typed("text", match ? (match[Number(group.value)] ?? "") : null);
};

const TEXTS: Readonly<Record<string, Evaluated>> = {
  concat: strict("text", (...parts: string[]) => parts.join("")),
  upper: strict("text", (x: string) => x.toUpperCase()),
  lower: strict("text", (x: string) => x.toLowerCase()),
  length: strict("int", (x: string) => BigInt(signs(x).length)),
  substring: strict("text", (x: string, from: bigint, n: bigint) =>
    signs(x)
      .slice(Number(from) - 1, Number(from + n) - 1)
      .join(""),
  ),
  left: strict("text", (x: string, n: bigint) => signs(x).slice(0, Number(n)).join("")),
  right: strict("text", (x: string, n: bigint) => (n === 0n ? "" : signs(x).slice(-Number(n)).join(""))),
  trim: strict("text", (x: string) => x.replace(BLANK_ENDS, "")),
  pad_left: strict(
    "text",
    (x: string, n: bigint, sign: string) => sign.repeat(Math.max(0, Number(n) - signs(x).length)) + x,
  ),
  replace: strict("text", (x: string, find: string, to: string) => x.split(find).join(to)),
  starts_with: strict("bool", (x: string, part: string) => x.startsWith(part)),
  ends_with: strict("bool", (x: string, part: string) => x.endsWith(part)),
  contains: strict("bool", (x: string, part: string) => x.includes(part)),
  position: strict("int", (x: string, part: string) => {
    const at = x.indexOf(part);
    return at < 0 ? 0n : BigInt(signs(x.slice(0, at)).length + 1);
  }),
  strip_accents: strict("text", plainLetters),
  normalize: strict("text", (x: string) => x.normalize("NFC")),
  slug: strict("text", (x: string) =>
    plainLetters(x)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, ""),
  ),
  matches: strict("bool", (x: string, pattern: string) => new RegExp(pattern, "u").test(x)),
  extract,
  split_part: strict("text", (x: string, by: string, n: bigint) => x.split(by)[Number(n) - 1] ?? null),
  sha256: strict("text", (x: string) => createHash("sha256").update(x).digest("hex")),
};

const NUMBERS: Readonly<Record<string, Evaluated>> = {
  sub: summed(-1n),
  mul: product,
  div: (a, b) => {
    const [x, y] = [asFloat(a as Typed), asFloat(b as Typed)];
    return typed("float", x === null || y === null || y === 0 ? null : x / y);
  },
  idiv: strict("int", (a: bigint, b: bigint) => (b === 0n ? null : floorDiv(a, b))),
  mod: strict("int", (a: bigint, b: bigint) => (b === 0n ? null : floorMod(a, b))),
  neg: own(
    (x) => -x,
    (x) => -x,
  ),
  abs: own(magnitude, Math.abs),
  sign: own((x, one) => (x > 0n ? one : x < 0n ? -one : 0n), Math.sign),
  round,
  floor: own((x, one) => floorDiv(x, one) * one, Math.floor),
  ceil: own((x, one) => -floorDiv(-x, one) * one, Math.ceil),
  trunc: own((x, one) => (x / one) * one, Math.trunc),
  power: floats((a, b) => a ** b),
  sqrt: floats(Math.sqrt),
  ln: floats((x) => (x > 0 ? Math.log(x) : Number.NaN)),
  log10: floats((x) => (x > 0 ? Math.log10(x) : Number.NaN)),
  exp: floats(Math.exp),
  least: extreme(-1),
  greatest: extreme(1),
};

const equal = compared((order) => order === 0);
const isTrue = ({ value }: Typed) => value === true;

const LOGIC: Readonly<Record<string, Evaluated>> = {
  coalesce: (...args) => common(args).find(({ value }) => value !== null) ?? { ...(common(args)[0] as Typed) },
  null_if: (...args) => {
    const [a, b] = common(args) as [Typed, Typed];
    return isTrue(equal(a, b)) ? { ...a, value: null } : a;
  },
  if: (...args) => {
    const [condition, ...branches] = args as [Typed, ...Typed[]];
    const [then, otherwise] = common(branches) as [Typed, Typed | undefined];
    return isTrue(condition) ? then : (otherwise ?? { ...then, value: null });
  },
  is_null: ({ value } = nullOf("text")) => typed("bool", value === null),
  eq: equal,
  neq: compared((order) => order !== 0),
  gt: compared((order) => order > 0),
  gte: compared((order) => order >= 0),
  lt: compared((order) => order < 0),
  lte: compared((order) => order <= 0),
  in: (...args) => {
    const [x, ...others] = common(args) as [Typed, ...Typed[]];
    return LOGIC.or?.(...others.map((each) => equal(x, each))) ?? nullOf("bool");
  },
  and: (...args) => {
    if (args.some(({ value }) => value === false)) return typed("bool", false);
    return typed("bool", args.some(({ value }) => value === null) ? null : true);
  },
  or: (...args) => {
    if (args.some(({ value }) => value === true)) return typed("bool", true);
    return typed("bool", args.some(({ value }) => value === null) ? null : false);
  },
  not: strict("bool", (x: boolean) => !x),
};

const add: Evaluated = (...args) =>
  args[0]?.family === "date" || args[0]?.family === "ts" ? addTime(...args) : summed(1n)(...args);

/** Every function of expressions over values, written only from the specification. */
export const RECIPE_FUNCTIONS: Readonly<Record<string, Evaluated>> = {
  add,
  ...NUMBERS,
  ...TEXTS,
  ...LOGIC,
  ...RECIPE_TIMES,
};
