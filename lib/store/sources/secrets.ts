import { randomUUID } from "node:crypto";
import { fail } from "@/lib/kernel/errors";
import { SECRETS_MAX, type SecretKind } from "@/lib/schemas/secret";
import { type Author, audited, type Transaction } from "@/lib/store/audit";
import { CREDENTIAL_COLUMNS, lockKeys, type Sealed, type SealedOwner } from "@/lib/store/datasets/sealed-rows";
import { database } from "@/lib/store/postgres/database";

/** A credential's row, to which its sealed value is bound. */
export interface SealedFor extends SealedOwner {
  kind: SecretKind;
}

export type SealedRow = SealedFor & Sealed;

/** The facts about a credential, without its value. */
export interface StoredSecret extends SealedFor {
  sealedWith: string;
  /** Hosts where it may be used: exact names or *.suffix; nowhere if empty. */
  hosts: string[];
  createdAt: Date;
  createdByEmail: string | null;
  replacedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedBy: string | null;
}

/** Called while no key can leave the ring. */
type Seal = (row: SealedFor) => Sealed;

/** Secrets of one workspace or of all, by name. */
export async function listSecrets(workspaceId?: string): Promise<StoredSecret[]> {
  const { prisma } = await database();
  const rows = await prisma.sourceCredential.findMany({
    where: workspaceId ? { workspaceId } : {},
    orderBy: [{ workspaceId: "asc" }, { name: "asc" }],
    omit: { sealed: true },
    include: { createdBy: { select: { email: true } } },
  });
  return rows.map(({ createdBy, ...row }) => ({ ...row, createdByEmail: createdBy?.email ?? null }));
}

/** Fails with not_found (no such workspace) or conflict (the name is taken, or the workspace is full). */
export function insertSecret(author: Author, secret: Omit<SealedFor, "id">, seal: Seal, now: Date): Promise<void> {
  return audited(author, async (transaction, audit) => {
    await lockKeys(transaction);
    await checkRoom(transaction, secret);
    const row = { id: randomUUID(), ...secret };
    await transaction.sourceCredential.create({
      data: { ...row, ...seal(row), createdAt: now, createdById: author.userId ?? null },
    });
    audit({
      action: "secret.created",
      workspaceId: secret.workspaceId,
      subject: secret.name,
      details: { kind: secret.kind },
    });
  });
}

/** Writers of one workspace wait for each other here, so that its maximum is exact. */
async function checkRoom(transaction: Transaction, { workspaceId, name }: Omit<SealedFor, "id">): Promise<void> {
  const found = await transaction.$queryRaw<
    unknown[]
  >`SELECT id FROM "Workspace" WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`;
  if (found.length === 0) throw fail("not_found");
  if (
    await transaction.sourceCredential.findUnique({
      where: { workspaceId_name: { workspaceId, name } },
      select: { id: true },
    })
  )
    throw fail("conflict", { message: `Secret ${name} already exists. Replace it, or choose another name.` });
  const used = await transaction.sourceCredential.count({ where: { workspaceId } });
  if (used >= SECRETS_MAX)
    throw fail("conflict", {
      message: `Too many secrets (maximum ${SECRETS_MAX} per workspace). Delete one that is no longer used.`,
    });
}

/** Fails with not_found, or with conflict if the secret is of another kind. */
export function replaceSecret(author: Author, secret: Omit<SealedFor, "id">, seal: Seal, now: Date): Promise<void> {
  return audited(author, async (transaction, audit) => {
    await lockKeys(transaction);
    const row = await lockRow(transaction, secret);
    if (row.kind !== secret.kind)
      throw fail("conflict", {
        message:
          `The kind of secret ${secret.name} is ${row.kind} and cannot be changed. Delete it to store one ` +
          `of another kind.`,
      });
    const replaced = { id: row.id, ...secret };
    await transaction.sourceCredential.update({
      where: { id: row.id },
      data: { field: secret.field, ...seal(replaced), replacedAt: now },
    });
    audit({
      action: "secret.replaced",
      workspaceId: secret.workspaceId,
      subject: secret.name,
      details: { kind: secret.kind },
    });
  });
}

/** Sets the hosts that a credential may be sent to. Fails with not_found. */
export function changeSecretHosts(
  author: Author,
  { workspaceId, name }: Pick<SealedFor, "workspaceId" | "name">,
  hosts: readonly string[],
): Promise<void> {
  return audited(author, async (transaction, audit) => {
    const data = { hosts: [...hosts] };
    const { count } = await transaction.sourceCredential.updateMany({ where: { workspaceId, name }, data });
    if (count === 0) throw missing(name);
    audit({ action: "secret.hosts_changed", workspaceId, subject: name, details: data });
  });
}

/** Fails with not_found. */
export function deleteSecret(author: Author, workspaceId: string, name: string): Promise<void> {
  return audited(author, async (transaction, audit) => {
    const { count } = await transaction.sourceCredential.deleteMany({ where: { workspaceId, name } });
    if (count === 0) throw missing(name);
    audit({ action: "secret.deleted", workspaceId, subject: name });
  });
}

/**
 * Opens a secret and records who used it, or does neither. Its row cannot be re-encrypted at the same time, so its key
 * remains in the ring.
 */
export function readSecret<T>(
  author: Author,
  workspaceId: string,
  name: string,
  usedBy: string,
  open: (row: SealedRow) => T,
  now: Date,
): Promise<T> {
  return audited(author, async (transaction, audit) => {
    const row = await lockRow(transaction, { workspaceId, name });
    const opened = open(row);
    await transaction.sourceCredential.update({ where: { id: row.id }, data: { lastUsedAt: now, lastUsedBy: usedBy } });
    audit({ action: "secret.used", workspaceId, subject: name, details: { by: usedBy } });
    return opened;
  });
}

async function lockRow(
  transaction: Transaction,
  { workspaceId, name }: Pick<SealedFor, "workspaceId" | "name">,
): Promise<SealedRow> {
  const sql = `SELECT ${CREDENTIAL_COLUMNS} FROM "SourceCredential"
    WHERE "workspaceId" = $1::uuid AND name = $2 FOR NO KEY UPDATE`;
  const [row] = await transaction.$queryRawUnsafe<SealedRow[]>(sql, workspaceId, name);
  if (!row) throw missing(name);
  return row;
}

const missing = (name: string) => fail("not_found", { message: `Unknown secret ${name}.` });
