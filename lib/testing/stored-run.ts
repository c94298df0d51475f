import type { Transaction } from "@/lib/store/audit";

/** A queued run of a separate private dataset, as stored in the database, without a job. */
export async function storedRun(transaction: Transaction, workspaceId: string) {
  const slug = `d-${crypto.randomUUID()}`;
  const texts = { slug, title: slug, summary: "", description: "" };
  const now = new Date();
  const { id: datasetId } = await transaction.dataset.create({
    data: { ...texts, sources: [], visibility: "private", workspaceId, build: { create: { workspaceId } } },
  });
  const { id: revisionId } = await transaction.recipeRevision.create({
    data: {
      datasetId,
      number: 1,
      document: "{}",
      documentDigest: "",
      origin: "registered",
      actor: {},
      createdAt: now,
    },
  });
  const ids = { datasetId, workspaceId, revisionId };
  const words = { kind: "build", trigger: "agent", state: "queued" } as const;
  return transaction.run.create({ data: { ...ids, ...words, plan: {}, progress: {}, createdBy: {}, queuedAt: now } });
}
