import { database } from "@/lib/store/postgres/database";
import type { OAuthClientKind } from "@/prisma/generated/client";

/** A program that asks people for a connection. */
export interface StoredClient {
  id: string;
  kind: OAuthClientKind;
  name: string;
  /** The client's own home page; not verified. */
  uri: string | null;
  redirectUris: string[];
  authMethod: string;
  secretHash: Uint8Array<ArrayBuffer> | null;
  createdAt: Date;
  fetchedAt: Date | null;
}

export type NewClient = Omit<StoredClient, "createdAt">;

/** Clients that were never used, whether registered or read from a document, are deleted after this time. */
const UNUSED_MS = 7 * 86_400_000;

/**
 * Syntax of a client ID (RFC 6749, A.1). No other string can be one, and some could not even be sent to the database.
 */
const ID_FORM = /^[\x20-\x7e]+$/;

export async function findClient(id: string): Promise<StoredClient | undefined> {
  if (!ID_FORM.test(id)) return undefined;
  const { prisma } = await database();
  const found = await prisma.oAuthClient.findUnique({ where: { id }, omit: { usedAt: true } });
  return found ?? undefined;
}

/** Stores a new client, or the current content of a client's document; deletes unused clients. */
export async function storeClient(client: NewClient, now: Date): Promise<void> {
  const { prisma } = await database();
  const forgotten = new Date(now.getTime() - UNUSED_MS);
  const old = [
    { kind: "registered" as const, createdAt: { lt: forgotten } },
    { kind: "document" as const, fetchedAt: { lt: forgotten } },
  ];
  await prisma.oAuthClient.deleteMany({ where: { OR: old, usedAt: null, connections: { none: {} } } });
  const { id, ...said } = client;
  await prisma.oAuthClient.upsert({ where: { id }, create: { ...client, createdAt: now }, update: said });
}

/** Records that a client was given a consent or a token. */
export async function touchClient(id: string, now: Date): Promise<void> {
  const { prisma } = await database();
  await prisma.oAuthClient.updateMany({ where: { id }, data: { usedAt: now } });
}
