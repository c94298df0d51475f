/** Parses a string as a JSON object. Empty for invalid JSON, such as a file that somebody created by hand. */
export function jsonObject(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}
