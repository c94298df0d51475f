/**
 * A string's first characters, at most `length`, never ending in half of a surrogate pair: strict JSON parsers reject a
 * whole reply for one.
 */
export function beginning(text: string, length: number): string {
  const isHalved = length < text.length && /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isHalved ? length - 1 : length);
}
