import { timingSafeEqual } from "node:crypto";
import { keyedHash } from "@/lib/storage/secret";

/**
 * A token that a page puts into its form, so nobody can submit it without having seen that page in this session.
 * `about`: what the form decides.
 */
export const formToken = (sessionId: string, about: string): string =>
  keyedHash("form-tokens", JSON.stringify([sessionId, about]));

/** Whether a form was sent with the token from its own page. */
export function isFormToken(sent: string | undefined, sessionId: string, about: string): boolean {
  const expected = Buffer.from(formToken(sessionId, about));
  const given = Buffer.from(sent ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
