/**
 * Names in URLs: lists are separated by commas, parts by colons, and a leading hyphen means descending. These
 * characters and percent signs within a name are percent-encoded a second time.
 */
export const packName = (name: string): string =>
  name.replaceAll(/[%:,]|^-/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

export const unpackName = (text: string): string =>
  text.replaceAll(/%(25|3a|2c|2d)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The parts between the first colons; the last part takes the rest, including its colons. */
export function splitParts(text: string, most: number): string[] {
  const parts = text.split(":");
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(":")];
}
