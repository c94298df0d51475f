import "server-only";
import { cache } from "react";
import { findDatasets } from "@/app/catalogue";
import { pageContext } from "@/app/context";
import { env } from "@/lib/env";
import type { Context } from "@/lib/operations/operation";
import type { DocContext } from "./doc";

/** What the docs say of this service: its address, its settings, the ids of the tables that examples read. */
export const docContext = cache((): Promise<DocContext> => docContextOf(pageContext()));

export async function docContextOf(ctx: Context): Promise<DocContext> {
  const { datasets } = await findDatasets({ limit: 100 }, ctx);
  const tableIds = new Map(datasets.flatMap(({ slug, tables }) => tables.slice(0, 1).map(({ tableId }) => [slug, tableId] as const)));
  return { place: { base: ctx.baseUrl, tableIds }, settings: env() };
}
