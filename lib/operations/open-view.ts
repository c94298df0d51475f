import { userIdOf } from "@/lib/access/actor";
import { fail } from "@/lib/kernel/errors";
import { openedViewSchema, savedViewPathSchema } from "@/lib/schemas/saved-view";
import { openView } from "@/lib/store/people/saved-views";
import { operation } from "./operation";

/** The view behind a short link, only for the page `/v/{id}`. */
export const openSavedView = operation({
  name: "open_view",
  summary: "Open a short link",
  description:
    "The table and the view that `/v/{id}` shows. Not found once the caller can no longer read the table, or the " +
    "view was deleted.",
  access: "open",
  quota: "catalogue",
  input: { path: savedViewPathSchema },
  output: openedViewSchema,
  errors: ["not_found"],
  async run({ path }, ctx) {
    const view = await openView(path.view_id, userIdOf(ctx));
    if (!view) throw fail("not_found");
    return {
      schema_version: "service-public-view.v1" as const,
      dataset: view.datasetSlug,
      table: view.tableSlug,
      page: view.page,
      query: view.query,
    };
  },
});
