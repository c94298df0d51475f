import { z } from "zod";
import { receiptOf } from "@/lib/operations/datasets/activation-receipts";
import { requireSubscription } from "@/lib/operations/hosted/live-key";
import { operation } from "@/lib/operations/operation";
import { activationReceiptSchema } from "@/lib/schemas/activation";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { activateTables, deactivateTables } from "@/lib/store/datasets/activations";
import { findBuiltBySlug } from "@/lib/store/datasets/built-datasets";

const bodySchema = z.strictObject({ slug: z.string().min(1) });

const HELP = `
Each table gets its own URL, printed here. Live keys of the dataset's workspace download its latest passing
release there and read its freshness, while the workspace has an active subscription. A table that was activated
before gets the same URL.

  parquetry dataset activate river-levels
  parquetry key create --workspace 6d6f0a52-… --kind live`;

/** Puts a built dataset's tables on the hosted table API, by the administrator's command. */
export const activateBuilt = operation({
  name: "activate_built",
  summary: "Activate a built dataset",
  description: "Puts the sealed tables of a built dataset on the hosted table API and prints their URLs.",
  access: "operator",
  quota: "none",
  input: { body: bodySchema },
  output: z.array(activationReceiptSchema),
  async run({ body: { slug } }, ctx) {
    const dataset = await builtWith(slug);
    await requireSubscription(dataset.workspaceId, ctx.now());
    return (await activateTables({ dataset, ...BY, now: ctx.now() }, ADMINISTRATOR)).map(receiptOf);
  },
  cli: { usage: "dataset activate <slug>", help: HELP },
});

/** Takes them off it. */
export const deactivateBuilt = operation({
  name: "deactivate_built",
  summary: "Deactivate a built dataset",
  description:
    "Takes the tables of a built dataset off the hosted table API. Reactivated tables have the same URLs as before.",
  access: "operator",
  quota: "none",
  input: { body: bodySchema },
  output: z.strictObject({ slug: z.string(), deactivated: z.array(z.string()) }),
  async run({ body: { slug } }, ctx) {
    const dataset = await builtWith(slug);
    return { slug, deactivated: await deactivateTables({ dataset, ...BY, now: ctx.now() }, ADMINISTRATOR) };
  },
  cli: { usage: "dataset deactivate <slug>" },
});

const BY = { by: { kind: "operator" }, cause: { caller: "operator" as const } };

async function builtWith(slug: string) {
  const found = await findBuiltBySlug(slug);
  if (!found) throw new Error(`Unknown built dataset: ${slug}. List datasets with: parquetry dataset list`);
  return found;
}
