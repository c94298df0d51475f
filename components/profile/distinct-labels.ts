/** How much of a shared beginning is kept, so that it is recognised. */
const BEGINNING = 9;
/** Characters of the shared beginning that precede the difference. */
const CONTEXT = 3;

/**
 * Labels that remain different where only about `lengthMax` characters of each are visible: in longer ones that begin
 * alike, the shared beginning is shortened. `GNU General Public License v2.0 only` → `GNU Gener…v2.0 only`.
 */
export function distinctLabels(labels: readonly string[], lengthMax: number): string[] {
  const nearest = labels.map((label) => shortened(label, labels, lengthMax, Math.max));
  const isSeenOnce = (text: string) =>
    nearest.filter((other) => other.slice(0, lengthMax) === text.slice(0, lengthMax)).length === 1;
  return nearest.map((text, at) =>
    isSeenOnce(text) ? text : shortened(labels[at] ?? "", labels, lengthMax, Math.min),
  );
}

/** `reach` says which similar labels it must differ from: the most similar one, or all at once. */
function shortened(
  label: string,
  labels: readonly string[],
  lengthMax: number,
  reach: (...lengths: number[]) => number,
): string {
  if (label.length <= lengthMax) return label;
  const start = label.slice(0, lengthMax);
  const alike = labels.filter((other) => other !== label && other.startsWith(start));
  if (alike.length === 0) return label;
  const from = wordStart(label, reach(...alike.map((other) => sharedLength(label, other))));
  return `${label.slice(0, BEGINNING).trimEnd()}…${label.slice(from)}`;
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** The start of the word at a position, if it is near; else a few characters before the position. */
function wordStart(text: string, at: number): number {
  const before = Math.max(text.lastIndexOf(" ", at - 1), text.lastIndexOf("/", at - 1)) + 1;
  return at - before <= BEGINNING ? before : at - CONTEXT;
}
