/** Inline Markdown without its marks. */
export const plainText = (text: string): string =>
  text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll("`", "")
    .replaceAll("**", "");
