import { processCache } from "@/lib/kernel/cache";
import { keyedHash } from "@/lib/storage/secret";
import { addressBlock } from "./address";

/** The subject that an access key's requests are counted for. */
export const keySubject = (keyId: string): string => `key:${keyId}`;

/** The subject that a connected agent's requests are counted for. */
export const agentSubject = (connectionId: string): string => `agent:${connectionId}`;

/** The subject that token exchanges are counted for: the client's id, hashed, because document URLs may be long. */
export const clientSubject = (clientId: string): string => `client:${keyedHash("addresses", clientId)}`;

/** The subject that a signed-in person's requests are counted for. */
export const personSubject = (userId: string): string => `person:${userId}`;

/**
 * The subject that attempts on an account are counted for: the email address that was entered, whether or not it has an
 * account.
 */
export const emailSubject = (email: string): string => `email:${keyedHash("addresses", email.trim().toLowerCase())}`;

/** The subject of a browser that has signed in to an account before, from the nonce in its cookie. */
export const browserSubject = (nonce: string): string => `browser:${nonce}`;

/** Hashes that are cached: each request is counted for its address, and the hash costs as much as the counting. */
const SUBJECTS_MAX = 10_000;

/** The subject that requests without a key are counted for: a keyed hash, because raw addresses are never stored. */
export function addressSubject(address: string): string {
  const cached = processCache<string>("address-subjects", { capacity: SUBJECTS_MAX });
  return cached.find(address) ?? cached.store(address, `address:${keyedHash("addresses", addressBlock(address))}`);
}
