/** Inter's mean width of a character, as a share of the font size; labels are measured before there is a browser. */
const WIDE = 0.62;
const NARROW = 0.32;
const FULL = 1.05;

/** Estimated width of a string when drawn; errs on the wide side. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const sign of text)
    width += /[ijltfrI.,:;'|!() ]/.test(sign)
      ? NARROW
      : (sign.codePointAt(0) ?? 0) > 0x2e80
        ? FULL
        : /[mwMW@%]/.test(sign)
          ? 0.92
          : WIDE;
  return width * size;
}

/** The longest prefix of a string that fits, with an ellipsis. */
export function cutText(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text;
  const signs = [...text];
  while (signs.length > 1 && textWidth(`${signs.join("")}…`, size) > room) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}
