/**
 * A string of the service, or of whoever published its data or signed in to it, without what would control the
 * terminal.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
export const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

/** A JSON document with the same characters written as escapes, which JSON itself leaves as they are. */
export const printableJson = (json: string): string =>
  json.replace(/[\u007f-\u009f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
