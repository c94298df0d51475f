import { z } from "zod";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { BUILD, datasetPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { builderAuthor } from "@/lib/operations/datasets/builder";
import { callerOf, needsApproval } from "@/lib/operations/datasets/dataset-events";
import { operation } from "@/lib/operations/operation";
import { withdrawVersion } from "@/lib/store/datasets/withdrawal";
import { findSealed } from "@/lib/store/releases/sealing";

/** POST to withdraw one version of a built dataset. No tool: only an owner decides, in the browser. */
export const withdrawOwnVersion = operation({
  name: "withdraw_own_version",
  summary: "Withdraw a version of a built dataset",
  description:
    "Withdraws a version permanently: everybody who asks for it gets 410 with the reason. If it was current, the " +
    "last one that was current before it is again. Only for owners who signed in within 12 hours.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/datasets/{dataset}/versions/{version_id}/withdrawal` },
  input: {
    path: datasetPathSchema.extend({ version_id: z.string().max(100).describe("The version's id.") }),
    body: z.strictObject({
      reason: z.string().trim().min(1).max(500).describe("Shown to everybody who asks for it."),
      expected_current: z
        .uuid()
        .nullable()
        .optional()
        .describe("Fails with conflict unless this version (null: none) is the table's current one after it."),
    }),
  },
  output: z.object({
    dataset: z.string(),
    table: z.string(),
    version_id: z.uuid(),
    withdrawn_at: z.iso.datetime(),
    current_version_id: z.uuid().nullable(),
  }),
  errors: ["insufficient_scope", "conflict"],
  examples: { body: { reason: "Two regions were swapped" } },
  locate: locateBuilt,
  async run({ located, path: { version_id: id }, body: { reason, expected_current: expectedCurrent } }, ctx) {
    const cause = { caller: callerOf(ctx) };
    needsApproval("withdraw_version", located, cause, ctx);
    const sealed = isUuid(id) ? await findSealed(located.id, id) : undefined;
    const withdrawn = sealed && (await withdrawVersion(id, reason, builderAuthor(ctx), { ...cause, expectedCurrent }));
    if (!withdrawn)
      throw fail("not_found", { message: `Unknown version: ${id}. The studio lists a table's versions.` });
    const { dataset, table, withdrawnAt, currentVersionId } = withdrawn;
    const at = { withdrawn_at: withdrawnAt.toISOString(), current_version_id: currentVersionId };
    return { dataset, table, version_id: id, ...at };
  },
});
