import type { Context } from "@/lib/access/context";
import { presentColumns } from "@/lib/describe/present-columns";
import { LOOKUPS_MAX } from "@/lib/engine/grammar/bounds";
import { Failure } from "@/lib/kernel/errors";
import type { Column } from "@/lib/schemas/column";
import type { Reader } from "@/lib/store/datasets/readable";
import { readLookup } from "@/lib/view/view-address";
import { locateLookups } from "./locate-lookups";

/**
 * The columns of other tables that a view's URL looks up (`lookup`), under their names in it. None of a table that the
 * reader may not read; the view then says that it is unknown. Profiles are of all rows of the
 * other table, so they have none.
 */
export async function lookedUpColumns(
  texts: readonly string[],
  reader: Reader | undefined,
  ctx: Pick<Context, "generation" | "now">,
): Promise<Column[]> {
  const found = await Promise.all(
    texts
      .filter(Boolean)
      .slice(0, LOOKUPS_MAX) // a view has no more
      .map((text) => columnsOf(text, reader, ctx)),
  );
  return found.flat();
}

async function columnsOf(
  text: string,
  reader: Reader | undefined,
  ctx: Pick<Context, "generation" | "now">,
): Promise<Column[]> {
  const lookup = readLookup(text);
  try {
    const [version] = await locateLookups({ lookups: [lookup] }, [], reader, ctx);
    const wanted = (version?.columns ?? []).filter(({ name }) => lookup.columns.includes(name));
    const profiles = Object.fromEntries(wanted.map(({ name }) => [name, { null_count: 0 }]));
    return presentColumns(wanted, JSON.stringify(profiles)).map((column) => ({
      ...column,
      name: `${lookup.as}.${column.name}`,
      nullable: true,
    }));
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
