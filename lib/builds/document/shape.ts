import { isLosslessNumber } from "lossless-json";
import type { z } from "zod";
import { FAULTS_MAX } from "@/lib/engine/grammar/bounds";
import { didYouMean, MEANT_MAX } from "@/lib/engine/grammar/did-you-mean";
import { pointerTo } from "@/lib/engine/grammar/pointer";
import type { Fault } from "@/lib/kernel/errors";

type Issue = z.core.$ZodIssue;

/** Minimum length of a key that is the start of a longer one. */
const PART_MIN = 3;

/** A value that conforms to a schema, or its faults. */
export type Shaped<T> = { value: T; faults: readonly Fault[] } | { value: undefined; faults: readonly Fault[] };

/** Reads a part of a document; pointers of faults begin with `pointer`. */
export function readShape<T>(schema: z.ZodType<T>, raw: unknown, pointer: string): Shaped<T> {
  const read = schema.safeParse(raw);
  return read.success
    ? { value: read.data, faults: [] }
    : { value: undefined, faults: faultsOf(read.error.issues, schema, raw, pointer) };
}

/** Like `readShape`. If single keys of an object have faults, the value is the object without them. */
export function readSound<T>(schema: z.ZodObject & z.ZodType<T>, raw: unknown, pointer: string): Shaped<T> {
  const read = readShape<T>(schema, raw, pointer);
  if (read.value !== undefined || typeof raw !== "object" || raw === null) return read;
  const issues = schema.safeParse(raw).error?.issues ?? [];
  const strange = new Set(
    issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [String(issue.path[0])],
    ),
  );
  const sound = Object.fromEntries(Object.entries(raw).filter(([key]) => !strange.has(key)));
  const again = schema.safeParse(sound);
  return again.success ? { value: again.data as T, faults: read.faults } : read;
}

function faultsOf(issues: readonly Issue[], schema: z.ZodType, raw: unknown, pointer: string): Fault[] {
  const faults = issues.slice(0, FAULTS_MAX).flatMap((issue) => issueFaults(issue, schema, raw, pointer));
  return faults.filter(
    (fault, at) =>
      faults.findIndex(({ pointer: other, message }) => other === fault.pointer && message === fault.message) === at,
  );
}

function issueFaults(issue: Issue, schema: z.ZodType, raw: unknown, pointer: string): Fault[] {
  const numberAt = issue.path.findIndex((_, at) => isLosslessNumber(valueAt(raw, issue.path.slice(0, at))));
  if (numberAt >= 0) return [expectedObject(pointer, issue.path.slice(0, numberAt))];
  // an unknown branch is reported at the key that names it, and is a fault of the whole
  const isBranch = issue.code === "invalid_union" && issue.discriminator !== undefined;
  const path = isBranch ? issue.path.slice(0, -1) : issue.path;
  const at = pointer + pointerTo(...path);
  const value = valueAt(raw, path);
  const here = schemaAt(schema, path);
  if (issue.code === "unrecognized_keys")
    return isLosslessNumber(value)
      ? [expectedObject(pointer, issue.path)]
      : unknownKeys(at, issue.keys, branchOf(here, value), value);
  if (issue.code === "invalid_union") return unionFaults(issue, here, value, at);
  if (issue.code === "invalid_value") return [oneOf(at, value, issue.values.map(String))];
  if (issue.code === "too_big" && issue.origin === "array")
    return [
      {
        pointer: at,
        code: "too_many_values",
        message: `Too many items: ${lengthOf(value)} (maximum ${issue.maximum}).`,
      },
    ];
  return [{ pointer: at, code: codeOf(issue, value), message: sentence(issue, at, value) }];
}

const expectedObject = (pointer: string, path: readonly PropertyKey[]): Fault => ({
  pointer: pointer + pointerTo(...path),
  code: "invalid_request",
  message: "Expected an object, not a number.",
});

/** Reports the faults of the closest branch or, if none is close, the alternatives. */
function unionFaults(
  issue: Extract<Issue, { code: "invalid_union" }>,
  schema: z.ZodType | undefined,
  value: unknown,
  at: string,
): Fault[] {
  const options = optionsOf(schema);
  const branches = (issue.errors ?? []).map((issues, index) => ({
    issues,
    option: options[index],
    misses: misses(issues),
  }));
  const nearest = branches.filter(({ misses }) => misses === 0).sort((a, b) => a.issues.length - b.issues.length)[0];
  if (nearest?.option) return faultsOf(nearest.issues, nearest.option, value, at);
  const literals = options.flatMap(literalsOf);
  if (issue.discriminator !== undefined)
    return [
      oneOf(
        `${at}/${issue.discriminator}`,
        (value as Record<string, unknown>)?.[issue.discriminator],
        discriminators(options, issue.discriminator),
      ),
    ];
  if (typeof value === "string" && literals.length > 0 && literals.length === options.length)
    return [oneOf(at, value, literals)];
  const specific = branches.find(({ issues }) =>
    issues.every(({ path, code }) => path.length === 0 && code !== "invalid_type" && code !== "invalid_value"),
  );
  if (specific?.option && specific.issues.length > 0) return faultsOf(specific.issues, specific.option, value, at);
  return [
    {
      pointer: at,
      code: value === undefined ? "invalid_request" : "invalid_value",
      message:
        value === undefined ? `${lastOf(at)} is missing.` : `Expected ${options.map(expectedText).join(" or ")}.`,
    },
  ];
}

/** The number of faults of the value itself, which another branch may not have. */
const misses = (issues: readonly Issue[]): number =>
  issues.filter(({ path, code }) => path.length === 0 && code !== "unrecognized_keys").length;

function unknownKeys(at: string, keys: readonly string[], schema: z.ZodType | undefined, value: unknown): Fault[] {
  const allowed = keysOf(schema);
  return keys.map((key, nth) => {
    const meant = nth < MEANT_MAX ? meantKey(key, valueAt(value, [key]), schema) : undefined;
    return {
      pointer: `${at}${pointerTo(key)}`,
      code: "invalid_request",
      message: `Unknown key ${JSON.stringify(key.slice(0, 100))}.`,
      ...(allowed.length > 0 && { allowed }),
      ...(meant !== undefined && { didYouMean: meant }),
    };
  });
}

/** The known key that a wrong one most likely stands for, preferably one that accepts its value. */
function meantKey(key: string, value: unknown, schema: z.ZodType | undefined): string | undefined {
  const shape = schema ? (defOf(bare(schema)).shape ?? {}) : {};
  const fitting = Object.keys(shape).filter((name) => shape[name]?.safeParse(value).success);
  const longer = fitting.filter((name) => key.length >= PART_MIN && name.startsWith(key));
  return didYouMean(key, fitting) ?? longer[0] ?? didYouMean(key, Object.keys(shape));
}

/** The fault of a word that is not in a closed list. */
export function oneOf(pointer: string, value: unknown, allowed: readonly string[]): Fault {
  if (value === undefined)
    return { pointer, code: "invalid_request", message: `${lastOf(pointer)} is missing.`, allowed };
  const meant = typeof value === "string" ? didYouMean(value, allowed) : undefined;
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 100)) : "this value";
  return {
    pointer,
    code: "invalid_value",
    message: `Unknown ${lastOf(pointer)}: ${shown}.`,
    allowed,
    ...(meant !== undefined && { didYouMean: meant }),
  };
}

const codeOf = (issue: Issue, value: unknown): Fault["code"] =>
  issue.code === "invalid_type" || value === undefined ? "invalid_request" : "invalid_value";

function sentence(issue: Issue, at: string, value: unknown): string {
  if (issue.code === "invalid_type") {
    if (value === undefined) return `${lastOf(at)} is missing: expected ${article(issue.expected)}.`;
    if (issue.expected === "string" && isLosslessNumber(value))
      return `Expected a string. Put it in quotes: "${value.value.slice(0, 40)}".`;
    return `Expected ${article(issue.expected)}.`;
  }
  if (value === undefined) return `${lastOf(at)} is missing.`;
  if (issue.code === "invalid_key") return "Invalid name.";
  return issue.message.endsWith(".") ? issue.message : `${issue.message}.`;
}

const lastOf = (pointer: string): string =>
  pointer.slice(pointer.lastIndexOf("/") + 1).replace(/^\d+$/, "item") || "The document";

const NOUNS: Readonly<Record<string, string>> = {
  record: "object",
  array: "list",
  object: "object",
  boolean: "true or false",
};

function article(expected: string): string {
  const noun = NOUNS[expected] ?? expected;
  if (noun.includes(" ")) return noun;
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

export function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    raw,
  );
}

interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  values?: unknown[];
  entries?: Record<string, string>;
  discriminator?: string;
}

const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;

function bare(schema: z.ZodType): z.ZodType {
  const { innerType, type, in: input } = defOf(schema);
  if (innerType) return bare(innerType);
  return type === "pipe" && input ? bare(input) : schema;
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((at, key) => {
    if (!at) return undefined;
    const { shape, element, valueType } = defOf(bare(at));
    return shape?.[String(key)] ?? element ?? valueType;
  }, schema);
}

const keysOf = (schema: z.ZodType | undefined): string[] =>
  schema ? Object.keys(defOf(bare(schema)).shape ?? {}) : [];
const optionsOf = (schema: z.ZodType | undefined): z.ZodType[] => (schema ? (defOf(bare(schema)).options ?? []) : []);

/** The branch of a discriminated union that the value names. */
function branchOf(schema: z.ZodType | undefined, value: unknown): z.ZodType | undefined {
  const { discriminator } = schema ? defOf(bare(schema)) : {};
  if (discriminator === undefined) return schema;
  const tag = (value as Record<string, unknown> | null)?.[discriminator];
  return optionsOf(schema).find((option) => discriminators([option], discriminator).includes(String(tag)));
}

function literalsOf(schema: z.ZodType): string[] {
  const { values, entries } = defOf(bare(schema));
  return values?.map(String) ?? Object.values(entries ?? {});
}

function discriminators(options: readonly z.ZodType[], key: string): string[] {
  return options.flatMap((option) => {
    const inner = defOf(bare(option)).shape?.[key];
    return inner ? literalsOf(inner) : [];
  });
}

function expectedText(schema: z.ZodType): string {
  const literals = literalsOf(schema);
  if (literals.length > 0) return literals.join(", ");
  const { type } = defOf(bare(schema));
  if (type === "object") return `an object with ${keysOf(schema).join(", ")}`;
  return article(type === "custom" ? "number" : type);
}
