import { PATTERN_LENGTH_MAX } from "@/lib/schemas/recipe-values";

const REPEATS_MAX = 1000;

/** The groups of a pattern, in order; null for one without a name. */
export type PatternGroups = (string | null)[];

/**
 * What is wrong with an RE2 pattern, found before DuckDB compiles it. Undefined if no fault can be found here; DuckDB
 * makes the final check when a recipe is registered.
 */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > PATTERN_LENGTH_MAX)
    return `Pattern too long: ${pattern.length} characters (maximum ${PATTERN_LENGTH_MAX}).`;
  if (pattern.includes("\0")) return "A pattern cannot contain the character U+0000.";
  const read = readPattern(pattern);
  return "fault" in read ? read.fault : undefined;
}

/** The groups of a pattern; empty for an invalid one. */
export function patternGroups(pattern: string): PatternGroups {
  const read = readPattern(pattern);
  return "fault" in read ? [] : read.groups;
}

/** Reads token by token. The language is regular except for its brackets, which are counted. */
function readPattern(pattern: string): { groups: PatternGroups } | { fault: string } {
  const groups: PatternGroups = [];
  let depth = 0;
  for (const [token, , , name, open, repeat] of pattern.matchAll(TOKENS)) {
    const fault = tokenFault(token, repeat);
    if (fault !== undefined) return { fault };
    if (name !== undefined || open === "(") groups.push(name ?? null);
    depth += token === ")" ? -1 : opens(token) ? 1 : 0;
    if (depth < 0) return { fault: "A ) has no matching (." };
  }
  return depth > 0 ? { fault: "A ( has no matching )." } : { groups };
}

/** A group of only flags, such as (?i), opens and closes at once. */
const opens = (token: string): boolean => token.startsWith("(") && !token.endsWith(")");

function tokenFault(token: string, repeat: string | undefined): string | undefined {
  if (token.startsWith("[") && !token.endsWith("]")) return "A [ has no matching ].";
  if (/^\(\?(?:<?[=!]|>)/.test(token)) return `${token} is not supported: RE2 has no lookaround.`;
  if (/^\\[1-9k]/.test(token)) return `${token} is not supported: RE2 has no backreferences.`;
  if (token === "\\") return "A \\ at the end of a pattern escapes nothing.";
  const isLarge = repeat?.split(",").some((count) => Number(count) > REPEATS_MAX);
  return isLarge ? `Repetition too large: {${repeat}} (maximum ${REPEATS_MAX}).` : undefined;
}

/** Escapes, classes, beginnings of groups, repetitions, closing brackets. */
const TOKENS =
  /\\[pP]\{[^{}]*\}|(\\)(?:[\s\S]|$)|\[\^?\]?(?:\\[\s\S]|\[:\^?[a-z]+:\]|[^\]\\])*(?:\]|$)|(\(\?P?<)(\w+)>|\(\?<?[=!]|\(\?>|\(\?[imsU-]*[:)]|(\()|\{(\d{1,6}(?:,\d{0,6})?)\}|\)/g;

/** Repetitions of variable length. Each further one raises the cost in a backtracking engine by a power. */
const VARIABLE_REPEATS_MAX = 3;

export const NOT_SIMPLE =
  "For column names, use a simpler pattern: at most three of * + ? {n,m}, none of them after a bracket.";

/**
 * The pattern for short strings (names of columns, sheets and files) in JavaScript's own engine, where it takes at most
 * the third power of their length. Undefined for any other pattern.
 */
export function simplePattern(pattern: string): RegExp | undefined {
  const bare = pattern
    .replace(/\\[\s\S]/g, "x")
    .replace(/\[[^\]]{0,300}\]/g, "x")
    .replace(/\(\?P?<\w+>|\(\?:/g, "(");
  if (/\)[*+?{]/.test(bare)) return undefined;
  if ((bare.match(/[*+?]|\{\d+,/g) ?? []).length > VARIABLE_REPEATS_MAX) return undefined;
  try {
    return new RegExp(pattern.replaceAll("(?P<", "(?<"), "u");
  } catch {
    return undefined;
  }
}
