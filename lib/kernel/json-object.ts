/** The object that a string is in JSON; an empty one for any other string, as of a file that somebody created by hand. */
export function jsonObject(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}
