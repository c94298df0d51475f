/** THE scopes that a connection can have, with what a person reads when asked for them. */
export const SCOPES = {
  "datasets:read": "Query public datasets and the workspace's own, and connect datasets to it",
  "datasets:build": "Build, change and publish datasets in the workspace",
  offline_access: "Stay connected while you are away, until you disconnect it",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPES;

/** What a connection has where its program asks for nothing. */
export const DEFAULT_SCOPES: readonly Scope[] = ["datasets:read"];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/** The scopes of a space-separated list, each once; undefined when one of them does not exist. */
export function readScopes(text: string | null | undefined): Scope[] | undefined {
  const names = [...new Set((text ?? "").split(" ").filter(Boolean))];
  if (names.length === 0) return [...DEFAULT_SCOPES];
  return names.every(isScope) ? names : undefined;
}

/**
 * What a person lets a program do, in words. Every connection can be kept alive by its program, asked for or not:
 * programs seldom ask.
 */
export const rightsOf = (scopes: readonly Scope[]): { scope: Scope; words: string }[] =>
  [...new Set<Scope>([...scopes, "offline_access"])].map((scope) => ({ scope, words: SCOPES[scope] }));
