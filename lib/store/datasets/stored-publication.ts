import type { StoredColumn } from "@/lib/schemas/column";
import { database } from "@/lib/store/postgres/database";

/** The stored state of a dataset, its table and the table's current version before a publication. */
export interface StoredPublication {
  title: string;
  /** Undefined, like the publisher, if nothing was ever published. */
  license: string | undefined;
  publisher: string | undefined;
  /** Undefined if the table is new. */
  table: { license: string | null } | undefined;
  /** Undefined if the table has no current version. */
  version: { id: string; digest: string; columns: StoredColumn[]; orderBy: string[]; primaryKey: string[] } | undefined;
}

/** Undefined if the dataset is new. */
export async function findStored(datasetSlug: string, tableSlug: string): Promise<StoredPublication | undefined> {
  const { prisma } = await database();
  const found = await prisma.dataset.findUnique({
    where: { slug: datasetSlug },
    select: {
      title: true,
      license: true,
      publisher: { select: { name: true } },
      tables: {
        where: { slug: tableSlug },
        select: {
          license: true,
          currentVersion: { select: { id: true, digest: true, columns: true, orderBy: true, primaryKey: true } },
        },
      },
    },
  });
  if (!found) return undefined;
  const [table] = found.tables;
  const version = table?.currentVersion;
  return {
    title: found.title,
    license: found.license ?? undefined,
    publisher: found.publisher?.name,
    table: table && { license: table.license },
    version: version ? { ...version, columns: version.columns as unknown as StoredColumn[] } : undefined,
  };
}
