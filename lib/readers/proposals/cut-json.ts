interface Open {
  closer: "}" | "]";
  /** Where the text may end inside it: after its opening or after its last complete member. */
  end: number;
  /** Whether it has a complete member. */
  isBegun: boolean;
}

/** Signs that open, close or separate. Strings are skipped as a whole. */
const SIGN = /[[\]{},"]/g;

/**
 * Repairs truncated JSON: drops what follows the last complete record, and closes what is open. Undefined for text that
 * is not JSON or has nothing open. `[{"a":1},{"a"` → `[{"a":1}]`.
 */
export function closedJson(text: string): string | undefined {
  const open: Open[] = [];
  SIGN.lastIndex = 0;
  for (let match = SIGN.exec(text); match !== null; match = SIGN.exec(text)) {
    if (match[0] === '"') {
      const end = stringEnd(text, match.index);
      if (end < 0) break;
      SIGN.lastIndex = end + 1;
    } else if (!visit(open, match[0], match.index)) return undefined;
  }
  const complete = wholeOnes(open);
  const innermost = complete.at(-1);
  return innermost && text.slice(0, innermost.end) + closersOf(complete);
}

/** Returns false if a bracket closes that is not open. */
function visit(open: Open[], sign: string, at: number): boolean {
  if (sign === "}" || sign === "]") return open.pop()?.closer === sign;
  const innermost = open.at(-1);
  if (sign !== ",") open.push({ closer: sign === "{" ? "}" : "]", end: at + 1, isBegun: false });
  else if (innermost) Object.assign(innermost, { end: at, isBegun: true });
  return true;
}

/**
 * The brackets to close: down to the outermost array with a complete item, whose items are the records. Without one,
 * all except the innermost object, which may lack members.
 */
function wholeOnes(open: readonly Open[]): readonly Open[] {
  const array = open.findIndex(({ closer, isBegun }) => closer === "]" && isBegun);
  if (array >= 0) return open.slice(0, array + 1);
  return open.length > 1 ? open.slice(0, -1) : open;
}

const closersOf = (open: readonly Open[]): string =>
  open
    .map(({ closer }) => closer)
    .reverse()
    .join("");

/** Position of the closing quote; -1 if the string is cut off. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}
