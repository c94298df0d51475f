import { isLosslessNumber } from "lossless-json";
import { z } from "zod";
import { type CheckedRecipe, checkTree } from "@/lib/builds/check-recipe";
import { readTree } from "@/lib/builds/document/tree";
import { failWith } from "@/lib/kernel/errors";
import { BUILD, datasetPathSchema, idempotencyKeySchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { checkCredentialHosts } from "@/lib/operations/sources/credential-hosts";
import { knownSources } from "@/lib/operations/sources/known-sources";
import { readRawBody } from "@/lib/operations/sources/raw-body";
import { requireStorable } from "@/lib/operations/storable-input";
import { estimateSchema, RUN_FAILURES, runBriefSchema } from "@/lib/schemas/run";
import { publisherFault } from "@/lib/store/releases/promotion";
import { onlyOnce } from "@/lib/store/runs/idempotency";
import { compilePatterns } from "./compile-patterns";
import { requireRefreshBounds } from "./refresh-bounds";
import { storeRevision } from "./store-revision";

/** A recipe as it is sent: its own checks report every fault at once. */
export const recipeSchema = z.unknown().meta({ type: ["object", "string"] });

const bodySchema = z.strictObject({
  recipe: recipeSchema.describe("A service-recipe.v1 document: an object, or its text in JSON or YAML."),
  note: z.string().max(500).default(""),
  dry_run: z.boolean().default(false).describe("Only checks; stores nothing."),
  start: z.boolean().default(false).describe("Plans a run as well."),
  idempotency_key: idempotencyKeySchema,
});

const remark = z.object({ pointer: z.string(), message: z.string() });
export const recipeReplySchema = z.object({
  revision: z
    .object({ number: z.int(), document_digest: z.string(), state: z.string() })
    .nullable()
    .describe("Null for a dry run."),
  checked: z
    .enum(["full", "partial"])
    .describe("partial: what unchecked lists is not known until a sample, which checks it."),
  unchecked: z.array(z.object({ pointer: z.string(), why: z.string() })),
  tables: z.array(
    z.object({
      slug: z.string().nullable(),
      columns: z.array(z.object({ name: z.string(), type: z.string().nullable() })),
    }),
  ),
  warnings: z.array(remark),
  estimate: estimateSchema.optional(),
  run: runBriefSchema.optional(),
  next: z.string(),
});

/** POST a recipe: the dataset's next revision. */
export const registerRecipe = operation({
  name: "register_recipe",
  summary: "Register a recipe",
  description:
    "Checks a complete recipe before anything is read, and stores it as the dataset's next revision; the same " +
    "document is the same revision. Every fault is returned at once, with its JSON Pointer. get_recipe_reference " +
    "teaches the grammar. Never put secrets into a recipe: name a stored credential.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/datasets/{dataset}/recipe`, status: 201 },
  input: { path: datasetPathSchema, rawBody: bodySchema },
  output: recipeReplySchema,
  errors: ["conflict", "idempotency_key_reused", "invalid_value", "unknown_column", "duplicate_column"],
  examples: { body: { recipe: "schema_version: service-recipe.v1\n…", dry_run: true } },
  locate: locateBuilt,
  async run({ located, body }, ctx) {
    const { recipe, ...input } = readBody(body);
    const { workspaceId } = located.build;
    const checked = await check(recipe, workspaceId, ctx.now());
    await checkCredentialHosts(checked.recipe.sources, workspaceId, "named");
    if (input.dry_run)
      return { ...presentChecked(checked), revision: null, next: "register_recipe without dry_run stores it." };
    const args = [located.id, checked.documentDigest, input];
    const call = { workspaceId, key: input.idempotency_key, tool: "register_recipe", args, now: ctx.now() };
    const { note, start } = input;
    return onlyOnce(call, async () => ({
      ...presentChecked(checked),
      ...(await storeRevision(located, checked, { note, start, origin: "registered" }, ctx)),
    }));
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
});

/** The body with the recipe's numbers as they were written; the rest is plain. */
export function readBody(body: unknown): z.output<typeof bodySchema> {
  const input = readRawBody(bodySchema, body, ["recipe"]);
  if (input.recipe === undefined || isLosslessNumber(input.recipe))
    throw failWith([
      { pointer: "/recipe", code: "invalid_request", message: "The recipe is missing. Send the document." },
    ]);
  return input;
}

/** Fails with every fault of the document, with pointers below that of the recipe if it was sent as an object. */
export async function check(recipe: unknown, workspaceId: string, now: Date): Promise<CheckedRecipe> {
  const tree = typeof recipe === "string" ? readTree(recipe) : recipe;
  requireStorable(tree); // what is written in the text as an escape
  const checked = checkTree(tree, await knownSources(tree, workspaceId, now));
  requireRefreshBounds(checked.recipe);
  await compilePatterns(checked, workspaceId);
  return { ...checked, warnings: [...checked.warnings, ...(await publisherWarnings(checked, workspaceId))] };
}

/** Reported before a run is made whose result could not become current. */
export async function publisherWarnings(
  { recipe }: CheckedRecipe,
  workspaceId: string,
): Promise<CheckedRecipe["warnings"]> {
  const fault = await publisherFault(recipe.publish.publisher.name, workspaceId);
  if (fault === undefined) return [];
  return [{ pointer: "/publish/publisher/name", message: `${fault} ${RUN_FAILURES.publisher_taken}` }];
}

export const presentChecked = ({ checked, unchecked, tables, warnings }: CheckedRecipe) => ({
  checked,
  unchecked,
  tables: tables.map(({ slug, columns }) => ({ slug, columns: columns.map(({ name, type }) => ({ name, type })) })),
  warnings,
});
