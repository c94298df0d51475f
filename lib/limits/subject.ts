import { keyedHash } from "@/lib/storage/secret";
import { addressBlock } from "./address";

/** Whom an access key's requests are counted for. */
export const keySubject = (keyId: string): string => `key:${keyId}`;

/** Whom a connected agent's requests are counted for. */
export const agentSubject = (connectionId: string): string => `agent:${connectionId}`;

/** Whom exchanges of tokens are counted for: the client's id, hashed, since documents' addresses may be long. */
export const clientSubject = (clientId: string): string => `client:${keyedHash("addresses", clientId)}`;

/** Whom a signed-in person's requests are counted for. */
export const personSubject = (userId: string): string => `person:${userId}`;

/**
 * Whom attempts on an account are counted for: the address of mail that was typed in, whether anybody has it or not.
 */
export const emailSubject = (email: string): string => `email:${keyedHash("addresses", email.trim().toLowerCase())}`;

/** A browser that has signed an account in before, by the nonce of its cookie. */
export const browserSubject = (nonce: string): string => `browser:${nonce}`;

/** Whom requests without a key are counted for: a keyed hash, since raw addresses are stored nowhere. */
export const addressSubject = (address: string): string => `address:${keyedHash("addresses", addressBlock(address))}`;
