import { z } from "zod";
import { slugSchema } from "./dataset";

/** What a use key may do: query rows, and download whole files. */
export const KEY_PERMISSIONS = ["read", "download"] as const;

export type KeyPermission = (typeof KEY_PERMISSIONS)[number];

const DATASETS_MAX = 100;

/** The datasets that a new key is limited to, by their slugs. */
export const scopeDatasetsSchema = z
  .array(slugSchema)
  .min(1, "Name at least one dataset, or leave datasets out: the key then reads all.")
  .max(DATASETS_MAX);

/** What a new use key may do. */
export const scopePermissionsSchema = z
  .array(z.enum(KEY_PERMISSIONS))
  .min(1, "Name read, download, or both; or leave permissions out: the key then may do both.")
  .transform((given) => KEY_PERMISSIONS.filter((each) => given.includes(each)));

/** The scope of an existing key. */
export const keyScopeSchema = {
  datasets: z
    .array(
      z.object({
        id: z.uuid(),
        slug: z.string().nullable().describe("Null if it no longer exists or the workspace may not read it any more."),
      }),
    )
    .nullable()
    .describe("The only datasets that the key reads; null: all that its workspace may read."),
  permissions: z.array(z.enum(KEY_PERMISSIONS)).describe("What a use key may do."),
};
