import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { fail } from "@/lib/kernel/errors";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import { type BuiltDataset, findBuiltDataset } from "@/lib/store/datasets/built-datasets";
import { findRun, type StoredRun } from "@/lib/store/runs/runs";

/** The path of everything about building, below its workspace. */
export const BUILD = "/api/v2/build/workspaces/{workspace_id}";

export const buildPathSchema = workspacePathSchema;
export const datasetPathSchema = workspacePathSchema.extend({
  dataset: z.string().max(200).describe("Slug or id."),
});
export const runPathSchema = workspacePathSchema.extend({ run_id: z.string().max(100).describe("The run's id.") });

export const expectedCurrentSchema = z
  .array(z.uuid())
  .max(100)
  .describe("Fails with conflict unless exactly these versions are current.");

export const idempotencyKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/, "Use 8 to 64 letters, digits, - and _.")
  .optional()
  .describe("A repeated call gets the same reply.");

export const waitSchema = z.coerce.number().int().min(0).max(20_000).describe("Waits for a change of state.");

/** A built dataset of the caller's workspace. Fails with not_found whether it is unknown or another workspace's. */
export async function locateBuilt({ dataset }: { dataset: string }, ctx: Context): Promise<BuiltDataset> {
  const found = await findBuiltDataset(membershipOf(ctx).workspaceId, dataset);
  if (!found) throw fail("not_found", { message: "Unknown dataset. list_my_datasets lists the workspace's datasets." });
  return found;
}

/** A run of the caller's workspace. Fails like locateBuilt. */
export async function locateRun({ run_id }: { run_id: string }, ctx: Context): Promise<StoredRun> {
  const found = await findRun(membershipOf(ctx).workspaceId, run_id);
  if (!found) throw fail("not_found", { message: "Unknown run. list_runs lists the workspace's runs." });
  return found;
}
