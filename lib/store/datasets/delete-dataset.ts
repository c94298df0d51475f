import { fail } from "@/lib/kernel/errors";
import { type Author, audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { unnamedDigests } from "@/lib/store/runs/artifacts";
import type { Prisma } from "@/prisma/generated/client";

/** How long a formerly public dataset stays withdrawn before it may be deleted, so people who cite it can object. */
const WITHDRAWN_DAYS = 30;
const DAY_MS = 86_400_000;

interface DatasetRef {
  id: string;
  slug: string;
  workspaceId: string;
}

type Reader = Pick<Transaction, "auditEvent" | "dataset">;

/** The time from which a person may delete a dataset; undefined if it must be withdrawn first. */
export async function deletableFrom(dataset: DatasetRef): Promise<Date | undefined> {
  const { prisma } = await database();
  return deletableIn(prisma, dataset);
}

async function deletableIn(client: Reader, { id, slug }: DatasetRef): Promise<Date | undefined> {
  const { visibility, createdAt } = await client.dataset.findUniqueOrThrow({ where: { id } });
  if (visibility === "public") return undefined;
  if (!(await wasPublic(client, slug))) return createdAt;
  if (visibility !== "withdrawn") return undefined;
  const withdrawn = await client.auditEvent.findFirst({
    where: { subject: slug, OR: [{ action: "dataset.withdrawn" }, changedTo("withdrawn")] },
    orderBy: { at: "desc" },
  });
  return withdrawn ? new Date(withdrawn.at.getTime() + WITHDRAWN_DAYS * DAY_MS) : undefined;
}

const wasPublic = async (client: Reader, slug: string): Promise<boolean> =>
  (await client.auditEvent.count({ where: { subject: slug, ...changedTo("public") } })) > 0;

const changedTo = (visibility: string): Prisma.AuditEventWhereInput => ({
  action: "dataset.visibility_changed",
  details: { path: ["to"], equals: visibility },
});

/** A built dataset by its slug, whoever owns it; undefined for any other. */
export async function findBuiltRef(slug: string): Promise<DatasetRef | undefined> {
  const { prisma } = await database();
  const found = await prisma.dataset.findFirst({ where: { slug, build: { isNot: null } }, include: { build: true } });
  return found?.build ? { id: found.id, slug, workspaceId: found.build.workspaceId } : undefined;
}

/**
 * Deletes a dataset that was never public or, if a person requests it, one that has been withdrawn for 30 days. Fails
 * with conflict for all others. Returns the blobs that nothing refers to any more.
 */
export async function deleteBuiltDataset(
  dataset: DatasetRef,
  { byPerson, now }: { byPerson: boolean; now: Date },
  author: Author,
): Promise<string[]> {
  const digests = await audited(author, async (transaction, audit) => {
    await transaction.$queryRaw`SELECT id FROM "Dataset" WHERE id = ${dataset.id}::uuid FOR UPDATE`;
    const from = await deletableIn(transaction, dataset);
    if (!byPerson && (await wasPublic(transaction, dataset.slug))) throw wasPublicFailure();
    if (from === undefined) throw wasPublicFailure();
    const hosted = await transaction.activation.count({ where: { datasetId: dataset.id, deactivatedAt: null } });
    if (hosted > 0)
      throw fail("conflict", {
        message: "Tables of this dataset are hosted. Deactivate the dataset first, then delete it.",
      });
    if (from > now) throw fail("conflict", { message: `The dataset can be deleted from ${dayOf(from)} on.` });
    const versions = { table: { datasetId: dataset.id } };
    const named = await transaction.version.findMany({ where: versions, select: { digest: true } });
    const left = await transaction.runArtifact.findMany({
      where: { run: { datasetId: dataset.id } },
      select: { digest: true },
    });
    await transaction.table.updateMany({ where: { datasetId: dataset.id }, data: { currentVersionId: null } });
    await transaction.download.deleteMany({ where: { version: versions } });
    await transaction.dataset.delete({ where: { id: dataset.id } });
    audit({ action: "dataset.deleted", subject: dataset.slug, workspaceId: dataset.workspaceId });
    return [...named, ...left].map(({ digest }) => digest);
  });
  return unnamedDigests([...new Set(digests)]);
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const wasPublicFailure = () =>
  fail("conflict", {
    message:
      "The dataset was public, so it can only be withdrawn: visibility withdrawn. A person may delete it " +
      `${WITHDRAWN_DAYS} days later.`,
  });
