import { z } from "zod";
import { BUILD, datasetPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { builderAuthor } from "@/lib/operations/datasets/builder";
import { operation } from "@/lib/operations/operation";
import { setShowsRecipe } from "@/lib/store/datasets/built-datasets";

/** PUT whether readers of a dataset see its recipe. There is no tool for it: a person decides. */
export const showRecipe = operation({
  name: "show_recipe",
  summary: "Show or hide a dataset's recipe",
  description: "Whether readers of the dataset see its recipe. Sources, digests and check results are always shown.",
  access: "build",
  quota: "account",
  http: { method: "PUT", path: `${BUILD}/datasets/{dataset}/shows-recipe` },
  input: { path: datasetPathSchema, body: z.strictObject({ shows_recipe: z.boolean() }) },
  output: z.object({ dataset: z.string(), shows_recipe: z.boolean() }),
  examples: { body: { shows_recipe: true } },
  locate: locateBuilt,
  async run({ located, body: { shows_recipe } }, ctx) {
    const dataset = { id: located.id, slug: located.slug, workspaceId: located.build.workspaceId };
    await setShowsRecipe(dataset, shows_recipe, ctx.now(), builderAuthor(ctx));
    return { dataset: located.slug, shows_recipe };
  },
});
