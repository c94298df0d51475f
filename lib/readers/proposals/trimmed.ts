const BLANK = /[\p{Z}\t-\r\u0085]/u;

/** The cell without white space around it, as the step trim reads it. */
export function trimmed(cell: string): string {
  let [start, end] = [0, cell.length];
  while (start < end && BLANK.test(cell.charAt(start))) start += 1;
  while (end > start && BLANK.test(cell.charAt(end - 1))) end -= 1;
  return start === 0 && end === cell.length ? cell : cell.slice(start, end);
}
