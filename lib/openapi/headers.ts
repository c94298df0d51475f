import { isHosted } from "@/lib/access/access-table";
import type { AnyOperation } from "@/lib/operations/operation";

const text = (description: string) => ({ description, schema: { type: "string" } });

/** Headers that many responses share, by name under components. */
export const COMMON_HEADERS: Readonly<Record<string, object>> = {
  "X-Request-Id": text("The request ID, for support. An incoming ID is echoed if it is 8 to 64 of A-Z a-z 0-9 _ -."),
  "Retry-After": { description: "Seconds to wait before retrying.", schema: { type: "integer" } },
  RateLimit: text('What remains of the quota, such as "minute";r=59;t=42.'),
  "RateLimit-Policy": text('The quotas, such as "minute";q=60;w=60, "day";q=5000;w=86400.'),
  ETag: text("Strong entity tag."),
};

/** A reference to a shared header. */
export const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** The headers of an operation's success. */
export function headerObjects(operation: AnyOperation): Record<string, object> {
  const own = Object.entries(operation.replyHeaders ?? {}).map(([name, description]) => [
    name,
    name in COMMON_HEADERS ? headerRef(name) : text(description),
  ]);
  return {
    "X-Request-Id": headerRef("X-Request-Id"),
    ...(!isHosted(operation.access) && { ETag: headerRef("ETag") }),
    "RateLimit-Policy": headerRef("RateLimit-Policy"),
    RateLimit: headerRef("RateLimit"),
    ...Object.fromEntries(own),
  };
}
