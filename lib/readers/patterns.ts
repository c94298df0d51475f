import { RE2JS } from "re2js";

/** An RE2 pattern, linear on any input, since patterns from recipes are applied to untrusted files. */
export interface LinearPattern {
  isIn(text: string): boolean;
  removeFrom(text: string): string;
}

/** Throws for patterns that RE2 rejects. Recipes have already been checked for them. */
export function linearPattern(source: string): LinearPattern {
  const compiled = RE2JS.compile(source);
  return {
    isIn: (text) => compiled.matcher(text).find(),
    removeFrom: (text) => compiled.matcher(text).replaceAll(""),
  };
}
