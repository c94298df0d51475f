import { authorOf } from "@/lib/access/author";
import { personOf } from "@/lib/access/authorize";
import { savedView } from "@/lib/describe/links";
import { fail } from "@/lib/kernel/errors";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema } from "@/lib/schemas/account";
import {
  createdSavedViewSchema,
  newSavedViewSchema,
  type SavedViewReply,
  savedViewChangeSchema,
  savedViewPathSchema,
  savedViewsSchema,
} from "@/lib/schemas/saved-view";
import {
  changeSavedView,
  isReadable,
  type LinkedPage,
  deleteSavedView as remove,
  saveView as save,
  listSavedViews as viewsOf,
} from "@/lib/store/people/saved-views";

/** POST a view of a table, which gets a short link. */
export const saveView = operation({
  name: "save_view",
  summary: "Save a view to a short link",
  description:
    "A view of a table, or a query in SQL, gets the link `/v/{id}`. Anyone who may read the " +
    "table, for SQL the first one, can open it: everybody while it is public, members of its workspace while it is " +
    "private. It follows new versions unless the view names one.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/views", status: 201 },
  input: { body: newSavedViewSchema },
  output: createdSavedViewSchema,
  errors: ["invalid_value", "not_found", "conflict"],
  examples: {
    body: {
      table_id: "5f0c3f0e-1f4f-4d3a-9c43-1b1f3f0f0f0f",
      query: "chart=line:Date:CO2&title=The+Keeling+curve",
    },
  },
  async run({ body }, ctx) {
    const { userId } = personOf(ctx);
    if (!(await isReadable(body.table_id, userId))) throw fail("not_found");
    const view = await save(
      authorOf(ctx),
      { userId, tableId: body.table_id, page: body.page, query: body.query },
      ctx.now(),
    );
    return { schema_version: "service-saved-view.v1" as const, view: presented(view, ctx.baseUrl) };
  },
});

/** GET one's own saved views. */
export const listSavedViews = operation({
  name: "list_views",
  summary: "List your saved views",
  description: "The views that you saved to short links, newest first.",
  access: "account",
  quota: "account",
  http: { method: "GET", path: "/api/account/views" },
  input: {},
  output: savedViewsSchema,
  async run(_input, ctx) {
    const views = await viewsOf(personOf(ctx).userId);
    return {
      schema_version: "service-saved-views.v1" as const,
      views: views.map(({ datasetSlug, datasetTitle, tableSlug, tableName, ...view }) => ({
        ...presented(view, ctx.baseUrl),
        dataset: datasetSlug === null ? null : { slug: datasetSlug, title: datasetTitle ?? datasetSlug },
        table: tableSlug === null ? null : { slug: tableSlug, name: tableName ?? tableSlug },
      })),
    };
  },
});

/** PATCH the title of one's own saved view. */
export const changeView = operation({
  name: "change_view",
  summary: "Rename a saved view",
  description: "Changes its title, which is also the title of its chart. Its short link remains.",
  access: "account",
  quota: "account",
  http: { method: "PATCH", path: "/api/account/views/{view_id}" },
  input: { path: savedViewPathSchema, body: savedViewChangeSchema },
  output: createdSavedViewSchema,
  errors: ["invalid_value"],
  examples: { body: { title: "The Keeling curve" } },
  async run({ path, body }, ctx) {
    const own = { userId: personOf(ctx).userId, id: path.view_id };
    const view = await changeSavedView(authorOf(ctx), own, (query) => withTitle(query, body.title?.trim() || null));
    if (!view) throw fail("not_found");
    return { schema_version: "service-saved-view.v1" as const, view: presented(view, ctx.baseUrl) };
  },
});

/** Everything else remains as it was written, since other spellings of it can be several times as long. */
function withTitle(query: string, title: string | null): string {
  const others = query.split("&").filter((part) => part !== "" && !new URLSearchParams(part).has("title"));
  return [...others, ...(title === null ? [] : [new URLSearchParams({ title }).toString()])].join("&");
}

/** DELETE one's own saved view: its short link returns 404 from now on. */
export const deleteSavedView = operation({
  name: "delete_view",
  summary: "Delete a saved view",
  description: "Its short link returns 404 from then on, wherever it was shared, and watches of it are deleted.",
  access: "account",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/views/{view_id}" },
  input: { path: savedViewPathSchema },
  output: doneSchema,
  async run({ path }, ctx) {
    if (!(await remove(authorOf(ctx), personOf(ctx).userId, path.view_id))) throw fail("not_found");
    return done("deleted");
  },
});

function presented(
  view: { id: string; tableId: string; page: string; query: string; createdAt: Date },
  baseUrl: string,
): SavedViewReply {
  return {
    id: view.id,
    url: savedView(baseUrl, view.id),
    title: new URLSearchParams(view.query).get("title"),
    table_id: view.tableId,
    page: view.page as LinkedPage,
    query: view.query,
    created_at: view.createdAt.toISOString(),
  };
}
