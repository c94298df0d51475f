import { z } from "zod";
import { OPERATOR } from "@/lib/store/audit";
import { listDatasetStates, setVisibility } from "@/lib/store/visibility";

export const visibilitySchema = z.strictObject({
  slug: z.string().min(1),
  visibility: z.enum(["public", "private", "withdrawn"]),
  workspace: z.uuid().optional(),
});

/** Every dataset with who may read it; for the operator. */
export async function listVisibility() {
  const datasets = await listDatasetStates();
  return datasets.map(({ slug, title, visibility, workspaceId, workspaceName, tables, publishedAt }) => ({
    slug,
    title,
    visibility,
    workspace: workspaceId,
    workspace_name: workspaceName,
    tables,
    published_at: publishedAt?.toISOString() ?? null,
  }));
}

/** Says who may read a dataset, from the next request on. Throws in words that say what to do. */
export async function changeVisibility({ slug, visibility, workspace }: z.output<typeof visibilitySchema>) {
  const change = await setVisibility(slug, visibility, workspace, OPERATOR);
  switch (change) {
    case "no_dataset":
      throw new Error(`Unknown dataset: ${slug}. List datasets with: parquetry dataset list`);
    case "no_workspace":
      throw new Error(`Unknown workspace: ${workspace}. List workspaces with: parquetry workspace list`);
    case "no_owner":
      throw new Error(
        "Missing workspace. A private dataset is readable only with keys of its workspace. Give --workspace ID.",
      );
    default:
      return { slug, from: change.from, to: change.to, workspace: change.workspaceId };
  }
}
