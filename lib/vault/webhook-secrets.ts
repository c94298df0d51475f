import { randomBytes } from "node:crypto";
import { keyRing } from "@/lib/storage/key-ring";
import type { Sealed } from "@/lib/store/datasets/sealed-rows";
import { open, seal } from "./envelope";

const PREFIX = "whsec_";
const BYTES = 32;

/** The row that a webhook's secret belongs to, including its URL, so that nobody can redirect signed messages. */
export interface WebhookRow {
  id: string;
  workspaceId: string;
  target: string;
}

/** A new signing secret in the form of Standard Webhooks. It is shown only once. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(BYTES).toString("base64");

/** Seals a signing secret, after `ensureKeyRing`. Call it while `lockKeys` holds. */
export const sealWebhookSecret = (row: WebhookRow, secret: string): Sealed => seal(keyRing(), ownerOf(row), secret);

/** The signing key, only for the caller's memory. Fails with integrity_failure if the row cannot be decrypted. */
export function openWebhookKey(row: WebhookRow & Sealed): Buffer {
  const { sealed, sealedWith } = row;
  const secret = open(keyRing(), { ...ownerOf(row), sealed, sealedWith });
  return Buffer.from(secret.slice(PREFIX.length), "base64");
}

const ownerOf = ({ id, workspaceId, target }: WebhookRow) => ({
  id,
  workspaceId,
  name: `webhook ${id}`,
  kind: "webhook",
  field: target,
});
