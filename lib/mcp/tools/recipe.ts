import { z } from "zod";
import { buildGuide } from "@/lib/describe/build-guide";
import { RECIPE_PARTS, type RecipePart, recipePart } from "@/lib/describe/recipe-reference";
import { tool } from "@/lib/mcp/tool";
import { READING } from "@/lib/operations/tool-part";

const PARTS = ["guide", ...(Object.keys(RECIPE_PARTS) as RecipePart[])] as const;

/** The build guide and the recipe's grammar for agents that cannot read resources, in parts that fit a reply. */
export const getRecipeReferenceTool = tool({
  name: "get_recipe_reference",
  title: "How to write a recipe",
  description:
    "How to build: guide has the calls in their order, a complete recipe, and an example of everything; the other " +
    "parts have every key of a recipe with its values, defaults and examples.",
  access: "connector_build",
  takes: "request",
  hints: READING,
  input: z.strictObject({ part: z.enum(PARTS).default("guide") }),
  output: z.strictObject({ part: z.enum(PARTS), text: z.string() }),
  async call({ part }, { baseUrl }) {
    const text = part === "guide" ? buildGuide(baseUrl) : recipePart(part);
    return { structured: { part, text }, text };
  },
});
