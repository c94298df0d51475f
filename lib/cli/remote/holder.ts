import { z } from "zod";
import { printable } from "@/lib/cli/printable";
import { COMMAND_LINE } from "@/lib/oauth/command-line-client";
import type { Endpoints } from "./endpoints";
import { postForm, unexpected } from "./remote-service";

const text = z.string().transform(printable);

const holderSchema = z.object({
  active: z.literal(true),
  scope: text,
  exp: z.number().max(8.64e12),
  username: text,
  workspace_id: z.uuid().optional(),
  workspace_name: text,
  device_name: text.nullable(),
});
export type Holder = z.output<typeof holderSchema>;

/** The owner of a credential; undefined once it is no longer valid. */
export async function holderOf(
  { introspection_endpoint: url }: Endpoints,
  credential: string,
): Promise<Holder | undefined> {
  const reply = await postForm(url, { client_id: COMMAND_LINE.id, token: credential });
  if ((reply.json as { active?: unknown } | undefined)?.active === false) return undefined;
  const parsed = holderSchema.safeParse(reply.json);
  // the service no longer knows our client, so it knows none of our credentials
  if (reply.status === 401) return undefined;
  if (reply.status !== 200 || !parsed.success) throw unexpected(reply, "Asking who is signed in");
  return parsed.data;
}

/** Revokes a credential permanently (RFC 7009). */
export async function revokeCredential({ revocation_endpoint: url }: Endpoints, credential: string): Promise<void> {
  const reply = await postForm(url, { client_id: COMMAND_LINE.id, token: credential });
  if (reply.status !== 200 && reply.status !== 401) throw unexpected(reply, "Signing out");
}
