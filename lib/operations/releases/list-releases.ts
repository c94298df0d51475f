import { z } from "zod";
import { BUILD, datasetPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { CHANGES } from "@/lib/schemas/table";
import { findRolledBack } from "@/lib/store/datasets/versions";
import { findPrevious } from "@/lib/store/datasets/withdrawal";
import { releasesOf } from "@/lib/store/releases/releases";

const releaseSchema = z.object({
  version_id: z.uuid(),
  run_id: z.uuid(),
  sealed_at: z.iso.datetime(),
  rows: z.number(),
  content_digest: z.string(),
  change: z.enum(CHANGES),
  current: z.boolean(),
  published: z.boolean().describe("Whether it was ever current."),
  withdrawn: z.boolean(),
});

const tableSchema = z.object({
  slug: z.string(),
  title: z.string(),
  previous: z
    .uuid()
    .nullable()
    .describe("The version that becomes current again if the current one is withdrawn; null: none."),
  rolled_back: z.boolean().describe("Whether somebody went back to the current one, which refreshes then keep."),
  releases: z.array(releaseSchema),
});
export type TableWithReleases = z.output<typeof tableSchema>;

/** GET what was sealed of a built dataset's tables. */
export const listReleases = operation({
  name: "list_releases",
  summary: "List the releases of a built dataset",
  description: "The 20 newest sealed versions of each table, newest first, and the current one if it is older.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/datasets/{dataset}/releases` },
  input: { path: datasetPathSchema },
  output: z.object({ tables: z.array(tableSchema) }),
  locate: locateBuilt,
  async run({ located }) {
    const ids = located.tables.map(({ id }) => id);
    const [releases, rolledBack, previous] = await Promise.all([
      releasesOf(located.id),
      findRolledBack(ids),
      findPrevious(ids),
    ]);
    const tables = located.tables.map(({ id, slug, name }) => ({
      slug,
      title: name,
      previous: previous.get(id) ?? null,
      rolled_back: rolledBack.has(id),
      releases: releases
        .filter(({ tableId }) => tableId === id)
        .map((release) => ({
          version_id: release.versionId,
          run_id: release.runId,
          sealed_at: release.sealedAt.toISOString(),
          rows: release.rows,
          content_digest: `sha256:${release.digest}`,
          change: release.change,
          current: release.isCurrent,
          published: release.publishedAt !== null,
          withdrawn: release.withdrawnAt !== null,
        })),
    }));
    return { tables };
  },
});
