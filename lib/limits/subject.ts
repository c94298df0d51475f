import { keyedHash } from "@/lib/storage/secret";
import { addressBlock } from "./address";

/** Whom an access key's requests are counted for. */
export const keySubject = (keyId: string): string => `key:${keyId}`;

/** Whom requests without a key are counted for: a keyed hash, since raw addresses are stored nowhere. */
export const addressSubject = (address: string): string => `address:${keyedHash("addresses", addressBlock(address))}`;
