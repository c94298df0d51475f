import type { Context } from "@/lib/access/context";
import { LOOKUPS_MAX } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { momentOf } from "@/lib/engine/grammar/version-choice";
import type { Reader } from "@/lib/store/datasets/readable";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { chosenId, findSibling, locateTable, locateVersion } from "./locate-table";

type Entry = NonNullable<QueryBody["lookups"]>[number];

/**
 * The versions in which a query looks columns up, in the body's order: those that its cursor is bound to (`pinned`),
 * else those that it names, else those of its `as_of`, else the current ones. Whoever may not read one of the tables
 * gets the failure of reading it by itself.
 */
export async function locateLookups(
  { lookups = [], as_of }: Pick<QueryBody, "lookups" | "as_of">,
  pinned: readonly string[],
  reader: Reader | undefined,
  ctx: Pick<Context, "generation" | "now">,
): Promise<TableVersion[]> {
  // any other name is that of a version of the table itself
  const time = as_of !== undefined && momentOf(as_of) ? as_of : undefined;
  const located: TableVersion[] = [];
  for (const [at, entry] of lookups.slice(0, LOOKUPS_MAX).entries()) {
    const current = await locateTable(entry.table_id, reader, ctx.generation);
    const id = await idOf(current, entry, { at, time, pinned: pinned[at] }, ctx);
    located.push(await locateVersion(current, id, { under: ctx.generation, pointer: `/lookups/${at}/version_id` }));
  }
  return located;
}

/** A cursor's version of another table is left to the engine, which rejects the cursor. */
async function idOf(
  current: TableVersion,
  { version_id, as_of }: Entry,
  { at, time, pinned }: { at: number; time: string | undefined; pinned: string | undefined },
  ctx: Pick<Context, "generation" | "now">,
): Promise<string | undefined> {
  if (pinned !== undefined) return (await findSibling(current, pinned, ctx.generation)) ? pinned : undefined;
  if (version_id === undefined && as_of === undefined) return await chosenId(current, { as_of: time }, "/", ctx.now());
  return await chosenId(current, { version_id, as_of }, `/lookups/${at}/`, ctx.now());
}
