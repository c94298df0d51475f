import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf } from "@/lib/access/authorize";
import { BUILD, datasetPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { setApprovalPolicy as set } from "@/lib/store/datasets/built-datasets";
import { ownersOnly } from "@/lib/store/datasets/dataset-states";
import { requireFreshSession } from "./approval-policy";

const policySchema = z.enum(["person", "agent_private"]);

/** PUT who may approve a dataset's recipes. No tool: only an owner decides, in the browser. */
export const setApprovalPolicy = operation({
  name: "set_approval_policy",
  summary: "Set who approves a dataset's recipes",
  description:
    "person: a person approves every new recipe. agent_private: an agent may also approve it, as long as the result " +
    "stays private or the change is safe; setting it requires a session of at most 12 hours.",
  access: "build",
  quota: "account",
  http: { method: "PUT", path: `${BUILD}/datasets/{dataset}/approval-policy` },
  input: { path: datasetPathSchema, body: z.strictObject({ approval_policy: policySchema }) },
  errors: ["insufficient_scope"],
  output: z.object({ dataset: z.string(), approval_policy: policySchema }),
  examples: { body: { approval_policy: "person" } },
  locate: locateBuilt,
  async run({ located, body: { approval_policy } }, ctx) {
    if (membershipOf(ctx).role !== "owner") throw ownersOnly("set who approves");
    if (approval_policy === "agent_private") requireFreshSession(ctx);
    const dataset = { id: located.id, slug: located.slug, workspaceId: located.build.workspaceId };
    await set(dataset, approval_policy, ctx.now(), authorOf(ctx));
    return { dataset: located.slug, approval_policy };
  },
});
