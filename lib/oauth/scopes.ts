/** THE scopes that a connection can have, with the words shown to the person who grants them. */
export const SCOPES = {
  "datasets:read": "Query public datasets and the workspace's own, and connect datasets to it",
  "datasets:build": "Build, change and publish datasets in the workspace",
  offline_access: "Stay connected while you are away, until you disconnect it",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPES;

/** The scopes of a connection whose program requests none. */
export const DEFAULT_SCOPES: readonly Scope[] = ["datasets:read"];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/** The scopes in a space-separated list, without duplicates; undefined if one of them does not exist. */
export function readScopes(text: string | null | undefined): Scope[] | undefined {
  const names = [...new Set((text ?? "").split(" ").filter(Boolean))];
  if (names.length === 0) return [...DEFAULT_SCOPES];
  return names.every(isScope) ? names : undefined;
}

/**
 * What a person allows a program to do, in words. Every program can keep its connection alive, whether or not it
 * requests `offline_access`, which programs seldom do.
 */
export const rightsOf = (scopes: readonly Scope[]): { scope: Scope; words: string }[] =>
  [...new Set<Scope>([...scopes, "offline_access"])].map((scope) => ({ scope, words: SCOPES[scope] }));
