import { z } from "zod";
import { OPERATOR } from "@/lib/store/audit";
import { withdrawVersion } from "@/lib/store/withdrawal";

export const withdrawalSchema = z.strictObject({
  versionId: z.uuid(),
  reason: z.string().trim().min(1).max(500).describe("Shown to everyone who requests the version by its id."),
});

/** Withdraws one version for good, from the next request on. Throws with what to do. */
export async function withdraw({ versionId, reason }: z.output<typeof withdrawalSchema>) {
  const withdrawn = await withdrawVersion(versionId, reason, OPERATOR);
  if (!withdrawn)
    throw new Error(
      `Unknown version: ${versionId}. List a table's versions with GET /api/v2/public/tables/ID/versions.`,
    );
  return {
    dataset: withdrawn.dataset,
    table: withdrawn.table,
    version: versionId,
    withdrawn_at: withdrawn.withdrawnAt.toISOString(),
    current_version: withdrawn.currentVersionId,
  };
}
