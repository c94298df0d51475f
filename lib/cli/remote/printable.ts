/** A text of the service, or of whoever published its data, without what would steer the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
export const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
