/* The signs of JSON, and what may follow what. */

export const [LINE_FEED, SPACE, QUOTE, ESCAPE, COMMA, COLON] = [0x0a, 0x20, 0x22, 0x5c, 0x2c, 0x3a] as const;
export const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
export const BLANKS: ReadonlySet<number> = new Set([SPACE, 0x09, 0x0d, LINE_FEED]);

/** What may come next: bits, several of which may be set. */
export const NEXT = { value: 1, key: 2, colon: 4, comma: 8, end: 16 } as const;

/** An object or array that is open, or the text itself. */
export interface Frame {
  kind: "root" | "object" | "array";
  next: number;
  index: number;
  key: string | null;
  /** How many tokens of the pointer lead here; -1 off its path. */
  matched: number;
  /** Whether a member on the pointer's path was found. */
  hasMatch: boolean;
  isTarget: boolean;
}

export const isOpening = (code: number): boolean => code === OPEN || code === OPEN_LIST;
export const isClosing = (code: number): boolean => code === CLOSE || code === CLOSE_LIST;
/** Whether a sign ends a number or word before it. */
export const endsScalar = (code: number): boolean => code <= SPACE || code === COMMA || isClosing(code);

export const frameOf = (kind: Frame["kind"], matched: number, isTarget: boolean): Frame => ({
  ...{ kind, matched, isTarget, index: 0, key: null, hasMatch: false },
  next: kind === "root" ? NEXT.value : kind === "object" ? NEXT.key | NEXT.end : NEXT.value | NEXT.end,
});

/** By what may come next. */
const EXPECTED: Readonly<Record<number, string>> = {
  [NEXT.key]: "a key in double quotes",
  [NEXT.key | NEXT.end]: 'a key in double quotes or "}"',
  [NEXT.colon]: "a colon",
  [NEXT.comma | NEXT.end]: "a comma or the closing bracket",
};

/** What is wrong with a sign that may not come next. */
export function unexpectedText(sign: string, { kind, next }: Frame): string {
  const found = `${JSON.stringify(sign)} found`;
  if (kind !== "root") return `not valid JSON: ${found} where ${EXPECTED[next] ?? "a value"} should be.`;
  return next === 0
    ? `${found} after the end of the document. Objects one after another are read by the format ndjson.`
    : `${found} where an object should start. Use one array of objects, or one object per line without commas.`;
}
