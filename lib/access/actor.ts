import { fail } from "@/lib/kernel/errors";
import type { AgentGrant } from "@/lib/oauth/access-token";
import type { Reader } from "@/lib/store/datasets/readable";
import type { StoredKey } from "@/lib/store/people/keys";
import type { LiveSession } from "@/lib/store/people/sessions";
import type { Membership } from "@/lib/store/people/workspaces";

/**
 * THE caller: who an operation runs for, once their credential has been checked (`authenticate.ts`). The context's
 * `address` says where the call comes from.
 */
export type Actor =
  | { readonly kind: "anonymous" }
  | { readonly kind: "person"; readonly session: LiveSession }
  | { readonly kind: "key"; readonly key: StoredKey }
  | { readonly kind: "agent" | "device"; readonly grant: AgentGrant }
  | { readonly kind: "operator" }
  | { readonly kind: "service" };

interface Acting {
  readonly actor: Actor;
  readonly membership: Membership | undefined;
}

/** A workspace to read for, and the credential under which its reads are counted and recorded. */
export interface ReadingFor {
  workspaceId: string;
  /** Id of the key, of the connection of an agent or device, or of the person at their own browser. */
  credentialId: string;
}

/** What the caller reads for; undefined for callers without a workspace of their own. */
export function readingFor({ actor, membership }: Acting): ReadingFor | undefined {
  switch (actor.kind) {
    case "person":
      return membership && { workspaceId: membership.workspaceId, credentialId: actor.session.userId };
    case "key":
      return { workspaceId: actor.key.workspaceId, credentialId: actor.key.id };
    case "agent":
    case "device":
      return { workspaceId: actor.grant.workspaceId, credentialId: actor.grant.connectionId };
    default:
      return undefined;
  }
}

/** The workspace whose private tables the caller may read. */
export const workspaceOf = (acting: Acting): string | undefined => readingFor(acting)?.workspaceId;

/** Whose datasets the caller may read: the workspace's, or those of them that its key is limited to. */
export function readerOf(acting: Acting): Reader | undefined {
  const workspaceId = workspaceOf(acting);
  if (workspaceId === undefined) return undefined;
  const { actor } = acting;
  const datasetIds = actor.kind === "key" ? actor.key.datasetIds : [];
  return { workspaceId, ...(datasetIds.length > 0 && { datasetIds }) };
}

/** The workspace that the caller's credential acts for. Fails with key_missing. */
export function ownWorkspace(acting: Acting): string {
  const workspaceId = workspaceOf(acting);
  if (workspaceId === undefined)
    throw fail("key_missing", { message: "Send a use key or an OAuth access token as Authorization: Bearer." });
  return workspaceId;
}

/** The person who acts, or on whose behalf a key, agent or device does; undefined if nobody is known. */
export function userIdOf({ actor }: Pick<Acting, "actor">): string | undefined {
  switch (actor.kind) {
    case "person":
      return actor.session.userId;
    case "key":
      return actor.key.userId ?? undefined;
    case "agent":
    case "device":
      return actor.grant.userId;
    default:
      return undefined;
  }
}
