import type { Include } from "@/lib/docs/doc";
import { QUERY } from "./query";
import { RECIPES } from "./recipes";
import { RULES } from "./rules";
import { SERVICE } from "./service";
import { VALUES } from "./values";

/** Everything that `{{name}}` can stand for on a page. */
export const INCLUDES: Readonly<Record<string, Include>> = { ...VALUES, ...QUERY, ...RECIPES, ...RULES, ...SERVICE };
