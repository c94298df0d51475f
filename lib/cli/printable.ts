/** A string from the service or its users, without characters that control the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
export const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

/** The same on one line, so that text from a service cannot look like a line of ours. */
export const printableLine = (text: string): string => printable(text).replace(/[\n\t]/g, " ");

/** A JSON document with the same characters escaped, although JSON permits them unescaped. */
export const printableJson = (json: string): string =>
  json.replace(/[\u007f-\u009f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
