import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { LOOKUPS_MAX } from "@/lib/engine/grammar/bounds";
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
  if (typeof args.table_id === "string") {
    return withLookupIds({ ...args, table_id: await tableIdOf(args.table_id, ctx) }, ctx);
  }
  const name = DATASETS.find((each) => typeof args[each] === "string");
  return name === undefined ? args : { ...args, [name]: await slugOf(String(args[name]), `/${name}`, ctx) };
}

/** The arguments of a query with ids in place of the names of tables that it looks columns up in. */
export async function withLookupIds(args: Values, ctx: Context): Promise<Values> {
  if (!Array.isArray(args.lookups)) return args;
  const lookups = args.lookups.map(async (entry: unknown, at) => {
    const { table_id: name } = (entry ?? {}) as Values;
    if (at >= LOOKUPS_MAX || typeof name !== "string") return entry;
    return { ...(entry as Values), table_id: await tableIdOf(name, ctx, `/lookups/${at}/table_id`) };
  });
  return { ...args, lookups: await Promise.all(lookups) };
}

/** The id of a table by its name. Rejects with `not_found`, and what was meant. */
export async function tableIdOf(name: string, ctx: Context, pointer = "/table_id"): Promise<string> {
  if (isUuid(name)) return name;
  const [slug = "", table] = name.trim().toLowerCase().split("/", 2);
  const dataset = await datasetNamed(slug, ctx);
  if (!dataset) throw await unknownDataset(name, slug, pointer, ctx);
  const found = table === undefined && dataset.tables.length === 1 ? dataset.tables[0] : tableNamed(dataset, table);
  if (!found) throw unknownTable(name, dataset, table, pointer);
  return found.id;
}

/** A string that cannot be a slug names no dataset, so the database is not queried for it. */
const datasetNamed = async (slug: string, ctx: Context): Promise<DatasetRecord | undefined> =>
  slugSchema.safeParse(slug).success ? findDataset(slug, readerOf(ctx)) : undefined;

const tableNamed = ({ tables }: DatasetRecord, name: string | undefined) => tables.find(({ slug }) => slug === name);

async function slugOf(name: string, pointer: string, ctx: Context): Promise<string> {
  if (isUuid(name)) return (await findTableVersion(name, { reader: readerOf(ctx) }))?.datasetSlug ?? name;
  const [slug = ""] = name.trim().toLowerCase().split("/", 1);
  if (await datasetNamed(slug, ctx)) return slug;
  throw await unknownDataset(name, slug, pointer, ctx);
}

async function unknownDataset(name: string, slug: string, pointer: string, ctx: Context) {
  const reader = readerOf(ctx);
  const own = slug !== "" && reader !== undefined && (await findBuiltDataset(reader.workspaceId, slug));
  if (own && (reader.datasetIds?.includes(own.id) ?? true)) return notPromoted(own.slug, pointer);
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

function unknownTable(name: string, dataset: DatasetRecord, table: string | undefined, pointer: string) {
  const allowed = dataset.tables.map(({ slug }) => `${dataset.slug}/${slug}`);
  const meant = table === undefined ? undefined : didYouMean(`${dataset.slug}/${table}`, allowed);
  const message =
    table === undefined
      ? `${dataset.slug} has ${dataset.tables.length} tables. Name one of them.`
      : `Unknown table: ${name.slice(0, 100)}.`;
  const fault = { pointer, code: "not_found" as const, message, allowed };
  return fail("not_found", { message, faults: [{ ...fault, ...(meant !== undefined && { didYouMean: meant }) }] });
}
