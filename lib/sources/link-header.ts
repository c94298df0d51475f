/** The target of the first link with rel=next in a Link header (RFC 8288). Takes linear time. */
export const nextLink = (header: string | null): string | undefined => linkOf(header, NEXT);

/** The number of the last page, if a link with rel=last has it as the parameter page; undefined if it is the first. */
export function lastPage(header: string | null): number | undefined {
  const target = linkOf(header, LAST);
  const text = target && URL.canParse(target, BASE) ? new URL(target, BASE).searchParams.get("page") : null;
  const page = /^\d{1,9}$/.test(text ?? "") ? Number(text) : 0;
  return page > 1 ? page : undefined;
}

const NEXT = /^rel="?(?:[a-z-]{1,40} )?next\b/;
const LAST = /^rel="?(?:[a-z-]{1,40} )?last\b/;
const BASE = "http://base.invalid/";

function linkOf(header: string | null, rel: RegExp): string | undefined {
  for (const part of (header ?? "").slice(0, 16_384).split("<").slice(1)) {
    const end = part.indexOf(">");
    if (end < 0) continue;
    const parameters = part
      .slice(end + 1)
      .split(/[;,]/)
      .map((text) => text.trim().toLowerCase());
    if (parameters.some((text) => rel.test(text))) return part.slice(0, end);
  }
  return undefined;
}
