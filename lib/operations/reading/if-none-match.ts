const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Whether If-None-Match names the tag: a list, `*`, weak comparison (RFC 9110 §13.1.2). */
export function matchesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return (ifNoneMatch.match(TAG) ?? []).some((tag) => tag.replace(/^W\//, "") === etag);
}
