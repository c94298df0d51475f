import { workspaceOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { slugSchema } from "@/lib/schemas/dataset";
import { type DatasetRecord, findDataset } from "@/lib/store/catalogue/catalogue";
import { publicCatalogue } from "@/lib/store/catalogue/public-catalogue";
import { findBuiltDataset } from "@/lib/store/datasets/built-datasets";
import { findTableVersion } from "@/lib/store/datasets/tables";

type Values = Readonly<Record<string, unknown>>;

/** The slugs of all public datasets. */
export const publicDatasetSlugs = async (ctx: Context): Promise<string[]> =>
  (await publicCatalogue(ctx.now())).datasets.map(({ slug }) => slug);

/** Arguments that name a dataset. */
const DATASETS = ["slug", "id"] as const;

/**
 * The arguments of a tool with ids in place of names: a table is named by its id, by `dataset/table`, or just by its
 * dataset if that has a single table; a dataset by its slug, by `dataset/table`, or by a table's id.
 */
export async function withIds(args: Values, ctx: Context): Promise<Values> {
  if (typeof args.table_id === "string") return { ...args, table_id: await tableIdOf(args.table_id, ctx) };
  const name = DATASETS.find((each) => typeof args[each] === "string");
  return name === undefined ? args : { ...args, [name]: await slugOf(String(args[name]), `/${name}`, ctx) };
}

/** The id of a table by its name. Rejects with `not_found`, and what was meant. */
export async function tableIdOf(name: string, ctx: Context): Promise<string> {
  if (isUuid(name)) return name;
  const [slug = "", table] = name.trim().toLowerCase().split("/", 2);
  const dataset = await datasetNamed(slug, ctx);
  if (!dataset) throw await unknownDataset(name, slug, "/table_id", ctx);
  const found = table === undefined && dataset.tables.length === 1 ? dataset.tables[0] : tableNamed(dataset, table);
  if (!found) throw unknownTable(name, dataset, table);
  return found.id;
}

/** A string that cannot be a slug names no dataset, so the database is not queried for it. */
const datasetNamed = async (slug: string, ctx: Context): Promise<DatasetRecord | undefined> =>
  slugSchema.safeParse(slug).success ? findDataset(slug, workspaceOf(ctx)) : undefined;

const tableNamed = ({ tables }: DatasetRecord, name: string | undefined) => tables.find(({ slug }) => slug === name);

async function slugOf(name: string, pointer: string, ctx: Context): Promise<string> {
  if (isUuid(name)) return (await findTableVersion(name, { workspaceId: workspaceOf(ctx) }))?.datasetSlug ?? name;
  const [slug = ""] = name.trim().toLowerCase().split("/", 1);
  if (await datasetNamed(slug, ctx)) return slug;
  throw await unknownDataset(name, slug, pointer, ctx);
}

async function unknownDataset(name: string, slug: string, pointer: string, ctx: Context) {
  const workspaceId = workspaceOf(ctx);
  const own = slug !== "" && workspaceId !== undefined && (await findBuiltDataset(workspaceId, slug));
  if (own) return notPromoted(own.slug, pointer);
  const slugs = await publicDatasetSlugs(ctx);
  const meant = slugs.find((each) => slug !== "" && each.includes(slug)) ?? didYouMean(slug, slugs);
  const message = `Unknown dataset: ${name.slice(0, 100)}.`;
  const fault = { pointer, code: "not_found" as const, message, ...(meant !== undefined && { didYouMean: meant }) };
  return fail("not_found", { message, faults: [fault] });
}

/** The workspace builds it, but none of its results is current. */
function notPromoted(slug: string, pointer: string) {
  const message = `${slug} has no current table yet. Make a sealed run's result current with promote_table.`;
  return fail("not_found", { message, faults: [{ pointer, code: "not_found", message }] });
}

function unknownTable(name: string, dataset: DatasetRecord, table: string | undefined) {
  const allowed = dataset.tables.map(({ slug }) => `${dataset.slug}/${slug}`);
  const meant = table === undefined ? undefined : didYouMean(`${dataset.slug}/${table}`, allowed);
  const message =
    table === undefined
      ? `${dataset.slug} has ${dataset.tables.length} tables. Name one of them.`
      : `Unknown table: ${name.slice(0, 100)}.`;
  const fault = { pointer: "/table_id", code: "not_found" as const, message, allowed };
  return fail("not_found", { message, faults: [{ ...fault, ...(meant !== undefined && { didYouMean: meant }) }] });
}
