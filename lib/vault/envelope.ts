import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { fail } from "@/lib/kernel/errors";
import type { KeyRing, SealingKey } from "@/lib/storage/key-ring-file";
import type { Sealed, SealedOwner } from "@/lib/store/datasets/sealed-rows";

const CIPHER = "aes-256-gcm";
const VERSION = 1;
const NONCE_BYTES = 12; // 96 bits, random: NIST SP 800-38D, section 8.2.2
const TAG_BYTES = 16;

/** Encrypts a string with the current key. The result is the version byte, nonce, ciphertext and tag. */
export function seal([current]: KeyRing, row: SealedOwner, text: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, current.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(authenticated(row, current.name));
  const sealed = Buffer.concat([
    Buffer.of(VERSION),
    nonce,
    cipher.update(text, "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return { sealed: new Uint8Array(sealed), sealedWith: current.name };
}

/** Decrypts a row. Throws integrity_failure, which names the credential but never includes its value. */
export function open(ring: KeyRing, row: SealedOwner & Sealed): string {
  const key = ring.find(({ name }) => name === row.sealedWith);
  if (!key) throw unopenable(row, `it is encrypted with the key ${row.sealedWith}, which is not in the key ring`);
  if (row.sealed[0] !== VERSION) throw unopenable(row, "its format is unknown to this version of the service");
  try {
    return decipher(key, row);
  } catch {
    throw unopenable(row, `its row is damaged, or the key ${row.sealedWith} has been replaced`);
  }
}

function decipher({ name, key }: SealingKey, row: SealedOwner & Sealed): string {
  const sealed = Buffer.from(row.sealed);
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const text = sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated(row, name));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
}

/** A JSON list is unambiguous, so no two rows share these bytes. */
const authenticated = ({ id, workspaceId, name, kind, field }: SealedOwner, keyName: string) =>
  Buffer.from(JSON.stringify(["parquetry source credential", VERSION, keyName, workspaceId, id, name, kind, field]));

const unopenable = ({ name }: SealedOwner, reason: string) =>
  fail("integrity_failure", { message: `Cannot decrypt the secret ${name}: ${reason}.` });
