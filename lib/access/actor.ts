import type { AgentGrant } from "@/lib/oauth/access-token";
import type { StoredKey } from "@/lib/store/keys";
import type { LiveSession } from "@/lib/store/sessions";
import type { Context } from "./context";

/**
 * THE caller: who an operation runs for, once their credential was checked (`authenticate.ts`). Where the call comes
 * from
 * is the context's `address`, whoever calls.
 */
export type Actor =
  | { readonly kind: "anonymous" }
  | { readonly kind: "person"; readonly session: LiveSession }
  | { readonly kind: "key"; readonly key: StoredKey }
  | { readonly kind: "agent" | "device"; readonly grant: AgentGrant }
  | { readonly kind: "operator" }
  | { readonly kind: "service" };

type Acting = Pick<Context, "actor">;

/** A workspace that is read for, and the credential that its reads are counted and noted under. */
export interface ReadingFor {
  workspaceId: string;
  /** Id of the key, or of the connection of an agent or device. */
  credentialId: string;
}

/** What the caller reads for; undefined for callers without a workspace of their own. */
export function readingFor({ actor }: Acting): ReadingFor | undefined {
  switch (actor.kind) {
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

/** The person who acts, or for whom a key, agent or device does; undefined where nobody is known. */
export function userIdOf({ actor }: Acting): string | undefined {
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
