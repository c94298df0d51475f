import type { OAuthClientKind } from "@/prisma/generated/client";
import { database } from "./database";

/** A program that asks people for a connection. */
export interface StoredClient {
  id: string;
  kind: OAuthClientKind;
  name: string;
  /** Its home page, as it says itself. */
  uri: string | null;
  redirectUris: string[];
  authMethod: string;
  secretHash: Uint8Array<ArrayBuffer> | null;
  createdAt: Date;
  fetchedAt: Date | null;
}

export type NewClient = Omit<StoredClient, "createdAt">;

/** Registered clients that nobody ever used are forgotten after this long. */
const UNUSED_MS = 7 * 86_400_000;

export async function findClient(id: string): Promise<StoredClient | undefined> {
  const { prisma } = await database();
  const found = await prisma.oAuthClient.findUnique({ where: { id }, omit: { usedAt: true } });
  return found ?? undefined;
}

/** Keeps a new client, or what a client's document says now; unused ones are forgotten on the way. */
export async function keepClient(client: NewClient, now: Date): Promise<void> {
  const { prisma } = await database();
  const forgotten = new Date(now.getTime() - UNUSED_MS);
  await prisma.oAuthClient.deleteMany({ where: { kind: "registered", usedAt: null, createdAt: { lt: forgotten }, connections: { none: {} } } });
  const { id, ...said } = client;
  await prisma.oAuthClient.upsert({ where: { id }, create: { ...client, createdAt: now }, update: said });
}

/** Notes that a client got a consent or a token. */
export async function touchClient(id: string, now: Date): Promise<void> {
  const { prisma } = await database();
  await prisma.oAuthClient.updateMany({ where: { id }, data: { usedAt: now } });
}
