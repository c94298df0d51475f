import { z } from "zod";
import { impactOf } from "@/lib/builds/revision";
import { BUILD, datasetPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { builderNameSchema, presentBuilders } from "@/lib/operations/datasets/present-builder";
import { operation } from "@/lib/operations/operation";
import { impactSchema } from "@/lib/schemas/revision";
import type { StoredActor } from "@/lib/store/datasets/builder-names";
import { newestRevisions, type StoredRevision } from "@/lib/store/recipes/revisions";
import { checkStored, presentImpact } from "./revision-change";

const NEWEST = 20;

const revisionSchema = z.object({
  number: z.int(),
  state: z.enum(["draft", "sampled", "approved", "superseded", "rejected"]),
  origin: z.enum(["registered", "proposed", "reverted"]),
  note: z.string(),
  by: builderNameSchema.nullable(),
  created_at: z.iso.datetime(),
  approved_at: z.iso.datetime().nullable(),
  document_digest: z.string(),
  recipe_digest: z.string().nullable(),
  compared_with: z.int().nullable().describe("The revision before; null for the first."),
  impact: impactSchema.nullable(),
});
export type ListedRevision = z.output<typeof revisionSchema>;

/** GET the revisions of a built dataset's recipe. */
export const listRevisions = operation({
  name: "list_revisions",
  summary: "List the revisions of a recipe",
  description: "The 20 newest revisions of a dataset's recipe, newest first, each with what it changed.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/datasets/{dataset}/revisions` },
  input: { path: datasetPathSchema },
  output: z.object({ revisions: z.array(revisionSchema) }),
  locate: locateBuilt,
  async run({ located }) {
    const found = await newestRevisions(located.id, NEWEST + 1);
    const listed = found.slice(0, NEWEST);
    const names = await presentBuilders(listed.map(({ actor }) => actor as StoredActor));
    return { revisions: listed.map((revision, at) => present(revision, found[at + 1], names[at] ?? null)) };
  },
});

function present(
  revision: StoredRevision,
  before: StoredRevision | undefined,
  by: ListedRevision["by"],
): ListedRevision {
  const { number, state, origin, note, createdAt, approvedAt, documentDigest, recipeDigest } = revision;
  return {
    ...{ number, state, origin, note, by },
    created_at: createdAt.toISOString(),
    approved_at: approvedAt?.toISOString() ?? null,
    document_digest: `sha256:${documentDigest}`,
    recipe_digest: recipeDigest,
    compared_with: before?.number ?? null,
    impact: before ? presentImpact(impactOf(checkStored(before), checkStored(revision))) : null,
  };
}
