import { z } from "zod";

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

const HOP_BY_HOP = "it applies to a single connection";
const MESSAGE = "the source reader sets it";
const COOKIE = "cookies are for browsers; use an API key for the source";

/** Headers that no credential may be sent in, each with the reason for people. */
const REJECTED: ReadonlyMap<string, string> = new Map([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"].map(
    (name) => [name, HOP_BY_HOP] as const,
  ),
  ...["accept-encoding", "content-encoding", "content-length", "content-type", "expect", "host", "range"].map(
    (name) => [name, MESSAGE] as const,
  ),
  ...["cookie", "cookie2", "set-cookie"].map((name) => [name, COOKIE] as const),
]);

/** Name of a header that a source credential may be sent in. */
export const headerNameSchema = z
  .string()
  .regex(TOKEN, "Use an HTTP header name of at most 100 characters, such as X-Api-Key.")
  .superRefine((name, ctx) => {
    const reason = reasonAgainst(name.toLowerCase());
    if (reason)
      ctx.addIssue({
        code: "custom",
        message: `Header not allowed: ${name}. Credentials cannot be sent in it because ${reason}.`,
      });
  });

function reasonAgainst(name: string): string | undefined {
  if (name.startsWith("proxy-")) return HOP_BY_HOP;
  return name.startsWith("if-") ? MESSAGE : REJECTED.get(name);
}
