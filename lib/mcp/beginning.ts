/**
 * A text's first characters, `length` at most, and never half of a letter at their end: strict readers of JSON refuse a
 * whole reply for one.
 */
export function beginning(text: string, length: number): string {
  const isHalved = length < text.length && /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isHalved ? length - 1 : length);
}
