/** Inline Markdown without its markup. */
export const plainText = (text: string): string =>
  text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll("`", "")
    .replaceAll("**", "");
