import { CONNECTOR_PATHS, type ConnectorPath } from "@/lib/oauth/server-metadata";

/** The credential that the connection is tested with. */
export const MODES = {
  none: "Without an account",
  credential: "With a key or token",
  "sign-in": "With a sign-in",
} as const;
export type Mode = keyof typeof MODES;

export interface Choice {
  mode: Mode;
  path: ConnectorPath;
}

/** The choice in the page's URL: `?test=sign-in&at=account`. Never contains what was pasted. */
export function choiceIn(query: URLSearchParams): Choice {
  const mode = query.get("test") ?? "";
  return {
    mode: Object.hasOwn(MODES, mode) ? (mode as Mode) : "none",
    path: CONNECTOR_PATHS[query.get("at") === "account" ? 1 : 0],
  };
}

/** The same, as a query string. */
export function withChoice(query: URLSearchParams, { mode, path }: Choice): URLSearchParams {
  const changed = new URLSearchParams(query);
  changed.set("test", mode);
  if (path === CONNECTOR_PATHS[1]) changed.set("at", "account");
  else changed.delete("at");
  return changed;
}
