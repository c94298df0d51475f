/** Orders strings by UTF-16 code units, which for ASCII is the order of bytes. */
export function orderTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
