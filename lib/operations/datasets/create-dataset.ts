import { z } from "zod";
import { userIdOf } from "@/lib/access/actor";
import { membershipOf } from "@/lib/access/authorize";
import { datasetPage } from "@/lib/describe/links";
import { env } from "@/lib/kernel/env";
import { operation } from "@/lib/operations/operation";
import { slugSchema } from "@/lib/schemas/dataset";
import { lineSchema } from "@/lib/schemas/name";
import { createBuiltDataset } from "@/lib/store/datasets/built-datasets";
import { onlyOnce } from "@/lib/store/runs/idempotency";
import { BUILD, buildPathSchema, idempotencyKeySchema } from "./build-path";
import { builderAuthor } from "./builder";

const bodySchema = z.strictObject({
  title: lineSchema(200),
  slug: slugSchema.optional().describe("Derived from the title if absent."),
  summary: z.string().max(500).optional(),
  description: z.string().max(10_000).optional().describe("Markdown."),
  license: lineSchema(200).optional().describe("The recipe has the final value."),
  topics: z.array(lineSchema(60)).max(20).optional(),
  idempotency_key: idempotencyKeySchema,
});

const outputSchema = z.object({
  dataset: z.object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    url: z.url(),
    visibility: z.literal("private"),
    state: z.literal("empty"),
  }),
  next: z.string(),
});

/** POST a title: a private dataset that runs of a recipe will fill. */
export const createDataset = operation({
  name: "create_dataset",
  summary: "Create a dataset to build",
  description:
    "Creates a private, empty dataset in the workspace, to be filled by runs of a recipe: register_recipe comes " +
    "next. Building requires a paid plan.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/datasets`, status: 201 },
  input: { path: buildPathSchema, body: bodySchema },
  output: outputSchema,
  errors: ["conflict", "idempotency_key_reused"],
  examples: { body: { title: "Unemployed persons by municipality" } },
  async run({ body: { idempotency_key: key, ...fields } }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const call = { workspaceId, key, tool: "create_dataset", args: fields, now: ctx.now() };
    return onlyOnce(call, async () => {
      const request = {
        ...fields,
        workspaceId,
        createdById: userIdOf(ctx),
        now: ctx.now(),
        most: env().BUILD_DATASETS,
      };
      const { id, slug } = await createBuiltDataset(request, builderAuthor(ctx));
      const url = datasetPage(ctx.baseUrl, slug);
      const dataset = { id, slug, title: fields.title, url, visibility: "private" as const, state: "empty" as const };
      return {
        dataset,
        next: `register_recipe {"dataset":"${slug}","recipe":…,"start":true} describes how it is built.`,
      };
    });
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  },
});
