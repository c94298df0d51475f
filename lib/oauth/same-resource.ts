/**
 * Whether two URLs name the same resource. The case of scheme and host, a default port and one trailing slash make no
 * difference. Anything else does, including a fragment or a user.
 *
 *     isSameResource("HTTPS://Data.example.org/api/mcp/", "https://data.example.org/api/mcp") // true
 */
export function isSameResource(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [normalResource(a), normalResource(b)];
  return one !== undefined && one === other;
}

function normalResource(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname, search, hash, username, password } = new URL(address);
  if (hash !== "" || username !== "" || password !== "" || origin === "null") return undefined;
  return `${origin}${pathname.endsWith("/") ? pathname.slice(0, -1) : pathname}${search}`;
}
