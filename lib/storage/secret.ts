import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { env, SECRET_LENGTH_MIN } from "@/lib/kernel/env";
import { textIfThere } from "@/lib/kernel/missing-file";
import { processWide } from "@/lib/kernel/process-wide";
import { keepFromLogs } from "@/lib/kernel/secret-values";
import { createFile } from "@/lib/kernel/whole-file";
import { makeDataFolder } from "./data-folder";
import { secretPath } from "./paths";

const PURPOSES = [
  "access-keys",
  "cursors",
  "addresses",
  "downloads",
  "sessions",
  "one-time-tokens",
  "recovery-codes",
  "oauth-tokens",
  "refresh-successors",
  "form-tokens",
  "audit",
  "known-browsers",
  "fingerprint",
  "copies",
] as const;

export type Purpose = (typeof PURPOSES)[number];

/** A 256-bit key for one purpose, derived from the server's secret (HKDF-SHA-256). No two uses share a key. */
export function derivedKey(purpose: Purpose): Uint8Array {
  return processWide(
    `derived-key:${purpose}`,
    () => new Uint8Array(hkdfSync("sha256", serverSecret(), "", `parquetry:${purpose}`, 32)),
  );
}

/** The same key in the form that costs least where every request signs something. */
export const hmacKey = (purpose: Purpose): KeyObject =>
  processWide(`hmac-key:${purpose}`, () => createSecretKey(derivedKey(purpose)));

/** HMAC-SHA-256 of `text` under the key of `purpose`, as 64 hex digits. */
export function keyedHash(purpose: Purpose, text: string): string {
  return createHmac("sha256", derivedKey(purpose)).update(text).digest("hex");
}

/** Distinguishes the server's secret from another one, and reveals nothing else about it; null if there is none yet. */
export const secretFingerprint = (): string | null => (secretState() === "missing" ? null : fingerprint());

/** The same of the secret that is used from now on: generated if there is none yet. */
export const fingerprint = (): string => Buffer.from(derivedKey("fingerprint")).toString("hex").slice(0, 32);

/** Whether there is a secret, in the settings or in the data folder, that is whole as far as its length tells. */
export function secretState(): "present" | "missing" | "damaged" {
  if (env().PARQUETRY_SECRET !== undefined) return "present";
  const stored = textIfThere(secretPath())?.trim();
  if (stored === undefined) return "missing";
  return stored.length < SECRET_LENGTH_MIN ? "damaged" : "present";
}

/** The secret from the settings, or one generated once in the data folder, readable only by the service. */
function serverSecret(): string {
  return keepFromLogs(env().PARQUETRY_SECRET ?? storedSecret(secretPath()));
}

function storedSecret(path: string): string {
  const state = secretState();
  if (state === "damaged") throw new Error(`The secret in ${path} is empty or damaged. Restore it from a backup.`);
  if (state === "missing") {
    makeDataFolder();
    createFile(path, randomBytes(48).toString("base64url"), 0o600);
  }
  return readFileSync(path, "utf8").trim(); // another process may have been first: its secret applies
}
