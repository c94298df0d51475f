import { z } from "zod";
import { operation } from "@/lib/operations/operation";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { withdrawVersion as withdraw } from "@/lib/store/datasets/withdrawal";

const HELP = `
Permanent; takes effect on the next request. Queries, downloads, previews, cursors and citations that name the version
return 410 with the reason. If it was the current version, the one that was current before becomes so again; if there is
none, the table is not found. The version's record, id and digest remain. To remove the data from shared
caches at once, purge them.

  parquetry version withdraw 6d6f0a52-… --reason "Names of patients by mistake"`;

/** Withdraws one version permanently, with effect from the next request. */
export const withdrawVersion = operation({
  name: "withdraw_version",
  summary: "Withdraw a version",
  description: "Withdraws one version of a table, such as one that must no longer be distributed.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      version_id: z.uuid(),
      reason: z.string().trim().min(1).max(500).describe("the reason, shown to everyone who requests the version"),
    }),
  },
  output: z.strictObject({
    dataset: z.string(),
    table: z.string(),
    version: z.uuid(),
    withdrawn_at: z.iso.datetime(),
    current_version: z.uuid().nullable(),
  }),
  async run({ body: { version_id, reason } }) {
    const withdrawn = await withdraw(version_id, reason, ADMINISTRATOR);
    if (!withdrawn)
      throw new Error(
        `Unknown version: ${version_id}. List a table's versions with GET /api/v2/public/tables/ID/versions.`,
      );
    return {
      dataset: withdrawn.dataset,
      table: withdrawn.table,
      version: version_id,
      withdrawn_at: withdrawn.withdrawnAt.toISOString(),
      current_version: withdrawn.currentVersionId,
    };
  },
  cli: { usage: "version withdraw <version-id>", valueNames: { reason: "text" }, help: HELP },
});
