interface Open {
  closer: "}" | "]";
  /** Where the text may end inside of it: behind its opening, or behind its last whole member. */
  end: number;
  /** Whether it has a whole member. */
  isBegun: boolean;
}

/** What may open, close or separate; strings are passed over whole. */
const SIGN = /[[\]{},"]/g;

/**
 * JSON that was cut, made whole again: what follows the last whole record is left out, and what is open is
 * closed. Undefined for what is no JSON, or has nothing open. `[{"a":1},{"a"` → `[{"a":1}]`.
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
  const kept = wholeOnes(open);
  const innermost = kept.at(-1);
  return innermost && text.slice(0, innermost.end) + closersOf(kept);
}

/** False where a bracket closes that is not open. */
function visit(open: Open[], sign: string, at: number): boolean {
  if (sign === "}" || sign === "]") return open.pop()?.closer === sign;
  const innermost = open.at(-1);
  if (sign !== ",") open.push({ closer: sign === "{" ? "}" : "]", end: at + 1, isBegun: false });
  else if (innermost) Object.assign(innermost, { end: at, isBegun: true });
  return true;
}

/**
 * The brackets to close: down to the outermost array with a whole item, whose items are the records; without one, all
 * but the innermost object, which may lack members.
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

/** Of the closing quote; -1 where the string is cut. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}
