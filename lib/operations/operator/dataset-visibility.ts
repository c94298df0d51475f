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
      throw new Error(`There is no dataset ${slug}. List them with: parquetry dataset list`);
    case "no_workspace":
      throw new Error(`There is no workspace ${workspace}. List them with: parquetry workspace list`);
    case "no_owner":
      throw new Error(
        "A private dataset belongs to a workspace, whose keys alone read it: say which with --workspace ID.",
      );
    default:
      return { slug, from: change.from, to: change.to, workspace: change.workspaceId };
  }
}
