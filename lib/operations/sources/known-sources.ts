import type { KnownSources } from "@/lib/builds/check-recipe";
import { canonicalJson } from "@/lib/builds/document/canonical";
import { draftRecipe } from "@/lib/builds/document/read-recipe";
import { readReader } from "@/lib/builds/document/source-shape";
import { readTree } from "@/lib/builds/document/tree";
import { parseColumnType } from "@/lib/engine/types/column-types";
import type { InspectionFound } from "@/lib/schemas/inspection";
import type { Reader } from "@/lib/schemas/recipe-reader";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { inspectedBefore, type StoredInspection } from "@/lib/store/sources/inspections";
import { findSourceVersion } from "@/lib/store/sources/source-tables";
import { inspectionDigest, treeOf } from "./inspection-request";

type ReadSource = Extract<RecipeSource, { reader: Reader }>;

const DEPTHS = ["full", "quick"] as const;
/** Formats whose columns come from a header; a part of a JSON file is not enough to know its columns. */
const WITH_HEADER: readonly string[] = ["csv", "tsv", "xlsx"];

/**
 * The columns of a recipe's sources: for tables of the service, and for sources that the workspace inspected with the
 * same reader in the last seven days.
 */
export async function knownSources(recipe: unknown, workspaceId: string, now: Date): Promise<KnownSources> {
  const { sources } = draftRecipe(typeof recipe === "string" ? readTree(recipe) : recipe);
  const requested = sources.flatMap((source) => (source && isWithHeader(source) ? [source] : []));
  const digests = new Map(requested.map((source) => [source.name, digestsOf(source)]));
  const found = await inspectedBefore(workspaceId, [...digests.values()].flat(), now);
  const known = requested.flatMap((source) => {
    const inspections = (digests.get(source.name) ?? []).flatMap((digest) => found.get(digest) ?? []);
    const columns = inspections.map((inspection) => columnsOf(source, inspection)).find((each) => each !== undefined);
    return columns ? [[source.name, columns] as const] : [];
  });
  const tables = await Promise.all(sources.map((source) => tableColumns(source, workspaceId)));
  return new Map([...known, ...tables.flat()]);
}

async function tableColumns(source: RecipeSource | undefined, workspaceId: string) {
  if (source?.kind !== "table") return [];
  const version = await findSourceVersion(source, workspaceId);
  const columns = version?.columns.map(({ name, type, storage }) => ({ name, type, storage }));
  return columns ? [[source.name, columns] as const] : [];
}

const isWithHeader = (source: RecipeSource): source is ReadSource =>
  source.kind !== "table" && WITH_HEADER.includes(source.reader.format);

/**
 * The requests under which it may have been inspected: with its reader or without one, and without the archive that was
 * found.
 */
function digestsOf(source: ReadSource): string[] {
  const { format, options } = source.reader;
  const plain = "archive" in source ? [source, { ...source, archive: undefined }] : [source];
  return plain.flatMap((each) =>
    DEPTHS.flatMap((depth) => [
      inspectionDigest(each, depth, { format, options }),
      inspectionDigest(each, depth, undefined),
    ]),
  );
}

/** Undefined if the inspection used a different reader or archive member. */
function columnsOf({ reader, ...source }: ReadSource, { result }: StoredInspection) {
  const found = result as unknown as InspectionFound;
  const member = (found.source as { archive?: { member: string } } | undefined)?.archive?.member;
  const own = "archive" in source ? source.archive?.member : undefined;
  const tried = found.reader && readReader(treeOf(found.reader), "").value;
  const isSame = tried !== undefined && canonicalJson(treeOf(tried)) === canonicalJson(treeOf(reader));
  if (!found.tried || !isSame || member !== own) return undefined;
  const storage = parseColumnType("string")?.duckdb ?? "VARCHAR";
  return found.columns.map(({ name }) => ({ name, type: "string", storage }));
}
