/**
 * What each caller may do, written independently of the table that the code uses: `in` is admitted, any other value is
 * how the caller is rejected. A caller's kind follows from their credential; member, owner and stranger are signed-in
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

/** The rows that hold through the connector; all others hold there too. */
const THROUGH_CONNECTOR: Readonly<Record<string, string>> = {
  open: "connector_open",
  use_key: "connector_read",
  build: "connector_build",
  build_read: "connector_build",
};

/** The row of an operation that is called through the connector. */
export const connectorRow = (row: string): string => THROUGH_CONNECTOR[row] ?? row;

/** The rows that hold for pages which a person reads as a member; all others hold there too. */
const FROM_PAGES: Readonly<Record<string, string>> = { open: "page_open", use_key: "page_read" };

/** The row of an operation that is called by such a page. */
export const pageRow = (row: string): string => FROM_PAGES[row] ?? row;

/** By row of the access table. */
export const EXPECTED: Readonly<Record<string, Record<Caller, Expected>>> = {
  open: ANYBODY,
  page_open: ANYBODY,
  open_query: ANYBODY,
  visitor: ANYBODY,
  connector_open: row("in", "in", WRONG, "in", "in", "in", "in", "in"),
  connector_read: row(MISSING, "in", WRONG, "in", "in", MISSING, MISSING, MISSING),
  connector_change: row(MISSING, WRONG, WRONG, "in", "in", MISSING, MISSING, MISSING),
  operator: row(MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, MISSING),
  use_key: row(MISSING, "in", WRONG, WRONG, MISSING, MISSING, MISSING, MISSING),
  download: row(MISSING, "in", WRONG, WRONG, MISSING, MISSING, MISSING, MISSING),
  page_read: row(MISSING, "in", WRONG, WRONG, MISSING, "in", "in", "in"),
  hosted: row(MISSING, WRONG, "in", WRONG, MISSING, MISSING, MISSING, MISSING),
  own_browser: row(MISSING, WRONG, WRONG, WRONG, MISSING, "404 not_found", "in", "in"),
  second_step: row(MISSING, WRONG, WRONG, WRONG, MISSING, "in", "in", "in"),
  account: row(MISSING, WRONG, WRONG, WRONG, MISSING, "in", "in", "in"),
  member: row(MISSING, WRONG, WRONG, WRONG, MISSING, "404 not_found", "in", "in"),
  build: row(MISSING, WRONG, WRONG, WRONG, MISSING, "404 not_found", "in", "in"),
  build_read: row(MISSING, WRONG, WRONG, WRONG, MISSING, "404 not_found", "in", "in"),
  connector_build: row(MISSING, WRONG, WRONG, "in", "in", MISSING, MISSING, MISSING),
  upload: row(MISSING, WRONG, WRONG, "in", MISSING, "404 not_found", "in", "in"),
  uploads: row(MISSING, WRONG, WRONG, "in", MISSING, "404 not_found", "in", "in"),
  owner: row(MISSING, WRONG, WRONG, WRONG, MISSING, "404 not_found", "403 insufficient_scope", "in"),
};
