/** Orders texts by UTF-16 units: right for ASCII, where it is the order of bytes. */
export function orderTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
