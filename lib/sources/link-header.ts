/** The target of the first link with rel=next in a Link header (RFC 8288). Takes linear time. */
export function nextLink(header: string | null): string | undefined {
  for (const part of (header ?? "").slice(0, 16_384).split("<").slice(1)) {
    const end = part.indexOf(">");
    if (end < 0) continue;
    const parameters = part
      .slice(end + 1)
      .split(/[;,]/)
      .map((text) => text.trim().toLowerCase());
    if (parameters.some((text) => /^rel="?(?:[a-z-]{1,40} )?next\b/.test(text))) return part.slice(0, end);
  }
  return undefined;
}
