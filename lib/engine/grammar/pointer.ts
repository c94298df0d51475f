/** A JSON Pointer (RFC 6901) to a place in the body. */
export function pointerTo(...path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
