import { z } from "zod";
import { canonicalJson } from "@/lib/builds/document/canonical";
import { type ReadRecipe, readRecipe } from "@/lib/builds/document/read-recipe";
import { storedRecipe } from "@/lib/builds/document/stored-recipe";
import { Failure, fail } from "@/lib/kernel/errors";
import { BUILD, datasetPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import type { RecipeTable } from "@/lib/schemas/recipe";
import { type StepRowsReply, stepPreviewsSchema, stepRowsSchema } from "@/lib/schemas/step-rows";
import { findStepPreviews } from "@/lib/store/runs/artifacts";
import { textOf } from "./run-artifacts";

const bodySchema = z.strictObject({
  table: z.string().max(100).describe("The table's name in the recipe."),
  step: z.int().min(0).max(99).describe("The step's index in its table, from 0."),
  recipe: z
    .string()
    .max(65_536)
    .optional()
    .describe("A recipe that is being written: as_written says whether these rows would still be the same."),
});

/** POST which rows of the newest sample a step got and made. There is no tool for it: agents query the sample. */
export const stepRows = operation({
  name: "step_rows",
  summary: "Get the rows before and after a step",
  description:
    "The first rows before and after a step of a recipe, as the newest sample of the dataset had them, also of a " +
    "sample that failed later. Kept as long as the artifacts of its run.",
  access: "build_read",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/datasets/{dataset}/step-rows` },
  input: { path: datasetPathSchema, body: bodySchema },
  output: stepRowsSchema,
  errors: ["artifact_too_large"],
  examples: { body: { table: "levels", step: 0 } },
  locate: locateBuilt,
  async run({ located, body: { table, step, recipe } }, ctx): Promise<StepRowsReply> {
    const found = await findStepPreviews(located.id, ctx.now());
    if (!found) throw fail("not_found", { message: "No sample has kept rows. Run a sample of the recipe first." });
    const text = await textOf({ digest: found.digest, bytes: Number(found.bytes) });
    const previews = stepPreviewsSchema.parse(JSON.parse(text)).filter((each) => each.table === table);
    const [before, after] = [step - 1, step].map((at) => previews.find((each) => each.step === at));
    const { id, revision } = found.run;
    const ran = storedRecipe(revision.document);
    const kind = tableOf(ran, table)?.steps[step]?.step;
    if (!before || kind === undefined)
      throw fail("not_found", {
        message:
          `The newest sample, of revision ${revision.number}, has no rows before step ${step + 1} of ${table}. Run a ` +
          "sample of the recipe that has this step.",
      });
    return {
      ...{ run_id: id, revision: revision.number, sampled_at: found.createdAt.toISOString(), table, step, kind },
      as_written: recipe === undefined ? null : isSame(ran, recipe, table, step),
      before,
      after: after ?? null,
    };
  },
});

const tableOf = ({ recipe }: Pick<ReadRecipe, "recipe">, name: string): RecipeTable | undefined =>
  recipe.tables.find((table) => table.name === name);

/** Whether everything up to a step is the same in another recipe; null if that one has faults. */
function isSame(ran: ReadRecipe, text: string, table: string, step: number): boolean | null {
  try {
    return canonicalJson(partBefore(readRecipe(text), table, step)) === canonicalJson(partBefore(ran, table, step));
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** What the rows after a step depend on: the sources, the earlier tables, and the table up to the step. */
function partBefore({ tree }: ReadRecipe, name: string, step: number): unknown {
  const { sources, tables } = tree as { sources: unknown; tables: { name: string; from: string; steps?: unknown[] }[] };
  const at = tables.findIndex((table) => table.name === name);
  const { from, steps = [] } = tables[at] ?? {};
  return { sources, earlier: tables.slice(0, Math.max(at, 0)), from, steps: steps.slice(0, step + 1) };
}
