import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "@/lib/env";
import { processWide } from "@/lib/process-wide";

const PURPOSES = ["access-keys", "cursors", "addresses", "downloads", "sessions", "one-time-tokens", "audit"] as const;

export type Purpose = (typeof PURPOSES)[number];

/** A 256-bit key for one purpose, derived from the server's secret (HKDF-SHA-256), so that no two uses share a key. */
export function derivedKey(purpose: Purpose): Uint8Array {
  return processWide(`derived-key:${purpose}`, () => new Uint8Array(hkdfSync("sha256", serverSecret(), "", `parquetry:${purpose}`, 32)));
}

/** HMAC-SHA-256 of `text` under the key of `purpose`, as 64 hex digits. */
export function keyedHash(purpose: Purpose, text: string): string {
  return createHmac("sha256", derivedKey(purpose)).update(text).digest("hex");
}

/** The operator's secret, or one made once in the data folder, readable by the service alone. */
function serverSecret(): string {
  const settings = env();
  return settings.PARQUETRY_SECRET ?? storedSecret(settings.PARQUETRY_DATA_DIR);
}

function storedSecret(dataDir: string): string {
  const path = join(dataDir, "secret");
  mkdirSync(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, randomBytes(48).toString("base64url"), { mode: 0o600 });
  try {
    linkSync(draft, path); // fails when another process was first: then its secret holds
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, "utf8").trim();
}
