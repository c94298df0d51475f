import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { fail } from "@/lib/kernel/errors";
import { operation } from "@/lib/operations/operation";
import { artifactStore, blobStore } from "@/lib/storage/blob-store";
import { ADMINISTRATOR, type Author } from "@/lib/store/audit";
import { deleteBuiltDataset, findBuiltRef } from "@/lib/store/datasets/delete-dataset";
import { withBlobsLock } from "@/lib/store/datasets/versions";
import { BUILD, datasetPathSchema, locateBuilt } from "./build-path";

type DatasetRef = Parameters<typeof deleteBuiltDataset>[0];

/** Deletes a dataset with everything that was built of it; files that nothing else refers to are deleted too. */
export async function removeDataset(
  dataset: DatasetRef,
  by: Parameters<typeof deleteBuiltDataset>[1],
  author: Author,
): Promise<void> {
  await withBlobsLock(async () => {
    for (const digest of await deleteBuiltDataset(dataset, by, author)) {
      await blobStore().remove(digest);
      await artifactStore().remove(digest);
    }
  });
}

/**
 * DELETE a dataset, as an owner. There is no tool for it: agents delete datasets that were never public with
 * update_dataset.
 */
export const deleteDataset = operation({
  name: "delete_dataset",
  summary: "Delete a built dataset",
  description:
    "Permanently deletes a dataset with its versions, recipes and runs: only if it was never public, or has been " +
    "withdrawn for 30 days. Otherwise returns conflict.",
  access: "owner",
  quota: "account",
  http: { method: "DELETE", path: `${BUILD}/datasets/{dataset}` },
  input: { path: datasetPathSchema },
  output: z.object({ dataset: z.string(), deleted: z.literal(true) }),
  errors: ["conflict"],
  locate: locateBuilt,
  async run({ located }, ctx) {
    const dataset = { id: located.id, slug: located.slug, workspaceId: located.build.workspaceId };
    await removeDataset(dataset, { byPerson: true, now: ctx.now() }, authorOf(ctx));
    return { dataset: located.slug, deleted: true as const };
  },
});

const HELP = `
Permanently deletes its versions, recipes and runs, if the dataset was never public or has been withdrawn for 30 days.
Requires --yes.

  parquetry dataset delete river-levels --yes`;

/** The same for the administrator. */
export const deleteAnyDataset = operation({
  name: "delete_any_dataset",
  summary: "Delete a built dataset",
  description: "Deletes a dataset that a workspace built.",
  access: "operator",
  quota: "none",
  input: { path: z.strictObject({ slug: z.string() }), query: z.strictObject({ yes: z.boolean().optional() }) },
  output: z.object({ dataset: z.string(), deleted: z.literal(true) }),
  async run({ path: { slug }, query: { yes } }, ctx) {
    const dataset = await findBuiltRef(slug);
    if (!dataset) throw fail("not_found", { message: `No workspace has built a dataset ${slug}.` });
    if (!yes) throw fail("invalid_request", { message: `This permanently deletes ${slug}. Add --yes to confirm.` });
    await removeDataset(dataset, { byPerson: true, now: ctx.now() }, ADMINISTRATOR);
    return { dataset: slug, deleted: true as const };
  },
  cli: { usage: "dataset delete <slug>", help: HELP },
});
