import { z } from "zod";
import { operation } from "@/lib/operations/operation";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { listDatasetStates, setVisibility } from "@/lib/store/datasets/visibility";

const visibilitySchema = z.enum(["public", "private", "withdrawn"]);

/** Every dataset with its visibility. */
export const listVisibility = operation({
  name: "list_all_datasets",
  summary: "List datasets",
  description: "Lists all datasets, including private and withdrawn ones.",
  access: "operator",
  quota: "none",
  input: {},
  output: z.array(
    z.strictObject({
      slug: z.string(),
      title: z.string(),
      visibility: visibilitySchema,
      workspace: z.uuid().nullable(),
      workspace_name: z.string().nullable(),
      tables: z.int(),
      published_at: z.iso.datetime().nullable(),
    }),
  ),
  async run() {
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
  },
  cli: { usage: "dataset list" },
});

const HELP = `
  public      anyone can find and read it
  private     only use keys of the owning workspace can read it; give --workspace if it has no owner yet
  withdrawn   nobody can read it; its files remain, and it can be made public or private again

A public dataset becomes private by two commands: withdraw it, then make it private.

The change takes effect on the next request. Readers without access get the same 404 as for a dataset that does not
exist. Shared caches may still serve what was public: pages, catalogue, schema and preview for up to 60 s, or 11
minutes with stale-while-revalidate. To remove it at once, purge the cache. Queries and downloads are never stored in
shared caches.

  parquetry dataset visibility river-levels withdrawn
  parquetry dataset visibility river-levels private --workspace 6d6f0a52-…`;

/** Sets who may read a dataset, from the next request on. */
export const changeVisibility = operation({
  name: "change_visibility",
  summary: "Change a dataset's visibility",
  description: "Makes a dataset public, private or withdrawn.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      slug: z.string().min(1),
      visibility: visibilitySchema,
      workspace: z.uuid().optional().describe("the workspace that will own it"),
    }),
  },
  output: z.strictObject({
    slug: z.string(),
    from: visibilitySchema,
    to: visibilitySchema,
    workspace: z.uuid().nullable(),
  }),
  async run({ body: { slug, visibility, workspace } }) {
    const change = await setVisibility(
      slug,
      { to: visibility, workspaceId: workspace, by: { caller: "operator" } },
      ADMINISTRATOR,
    );
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
  },
  cli: { usage: "dataset visibility <slug> <visibility>", valueNames: { workspace: "id" }, help: HELP },
});
