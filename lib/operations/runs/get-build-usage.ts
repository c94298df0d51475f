import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import { env } from "@/lib/kernel/env";
import { buildPathSchema } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { buildUsage } from "@/lib/store/runs/build-quota";
import { storedBytes } from "@/lib/store/sources/stored-bytes";
import { uploadedBytes } from "@/lib/store/sources/uploads";

const MIB = 1024 * 1024;
const shareSchema = z.object({ used: z.number(), most: z.number() });

/** What a workspace's builds use of its quotas and of disk space, for its page in the studio. */
export const getBuildUsage = operation({
  name: "get_build_usage",
  summary: "Get build usage",
  description:
    "Datasets, runs and bytes fetched today (UTC), and the disk space used by uploads, snapshots and versions.",
  access: "build_read",
  quota: "account",
  input: { path: buildPathSchema },
  output: z.object({
    datasets: shareSchema,
    runs_today: shareSchema,
    fetched_today: shareSchema.describe("Bytes."),
    uploads: shareSchema.describe("Bytes."),
    snapshots: shareSchema.extend({ files: z.int(), pinned: z.number().describe("Bytes that approved recipes need.") }),
    versions: z.object({ files: z.int(), bytes: z.number() }),
  }),
  async run(_input, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const [today, stored, uploaded] = await Promise.all([
      buildUsage(workspaceId, ctx.now()),
      storedBytes(workspaceId),
      uploadedBytes(workspaceId),
    ]);
    const { BUILD_DATASETS, BUILD_RUNS_DAY, BUILD_BYTES_DAY, UPLOADS_BYTES_WORKSPACE, SNAPSHOT_MB } = env();
    const { snapshots: files, snapshotBytes, pinnedBytes: pinned, versions, versionBytes } = stored;
    return {
      datasets: { used: stored.datasets, most: BUILD_DATASETS },
      runs_today: { used: today.runs, most: BUILD_RUNS_DAY },
      fetched_today: { used: today.bytes, most: BUILD_BYTES_DAY },
      uploads: { used: uploaded, most: UPLOADS_BYTES_WORKSPACE },
      snapshots: { files, used: snapshotBytes, pinned, most: SNAPSHOT_MB * MIB },
      versions: { files: versions, bytes: versionBytes },
    };
  },
});
