/**
 * What everybody may do, written down apart from the table that the code runs on: `in` is let in, the rest is how the
 * caller is refused. A caller's kind is what their credential makes them; member, owner and stranger are signed-in
 * people.
 */
export type Expected = "in" | "401 key_missing" | "401 key_wrong_type" | "403 insufficient_scope" | "404 not_found";

export const CALLERS = ["anonymous", "use key", "live key", "device", "bearer", "stranger", "member", "owner"] as const;

export type Caller = (typeof CALLERS)[number];

const row = (...cells: Expected[]) =>
  Object.fromEntries(CALLERS.map((caller, at) => [caller, cells[at]])) as Record<Caller, Expected>;
const MISSING = "401 key_missing";
const WRONG = "401 key_wrong_type";
const ANYBODY = row("in", "in", "in", "in", "in", "in", "in", "in");

/** By row of the access table. */
export const EXPECTED: Readonly<Record<string, Record<Caller, Expected>>> = {
  open: ANYBODY,
  open_query: ANYBODY,
  visitor: ANYBODY,
  use_key: row(MISSING, "in", WRONG, WRONG, MISSING, MISSING, MISSING, MISSING),
  account: row(MISSING, WRONG, WRONG, WRONG, MISSING, "in", "in", "in"),
  member: row(MISSING, WRONG, WRONG, WRONG, MISSING, "404 not_found", "in", "in"),
  owner: row(MISSING, WRONG, WRONG, WRONG, MISSING, "404 not_found", "403 insufficient_scope", "in"),
};
