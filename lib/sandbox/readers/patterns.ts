import { RE2JS } from "re2js";

/** A pattern of RE2, in linear time on any text: what a recipe's author writes meets what a stranger's file holds. */
export interface LinearPattern {
  isIn(text: string): boolean;
  removeFrom(text: string): string;
}

/** Throws for patterns that RE2 refuses; recipes were checked for them before. */
export function linearPattern(source: string): LinearPattern {
  const compiled = RE2JS.compile(source);
  return {
    isIn: (text) => compiled.matcher(text).find(),
    removeFrom: (text) => compiled.matcher(text).replaceAll(""),
  };
}
