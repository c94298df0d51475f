"use client";

import { useCallback, useEffect, useState } from "react";

/**
 * The credential with which a signed-in person's pages query against their own quota: the session, in one of their
 * workspaces.
 */
export interface OwnSession {
  workspaceId: string;
}

/**
 * The session of a signed-in person; undefined for everyone else, and until the service has returned their workspace.
 * `drop` forgets a session that the service no longer accepts. A private table is read in the workspace that owns it,
 * and in no other way.
 */
export function useSession(ownerId: string | undefined): { session: OwnSession | undefined; drop: () => void } {
  const [session, setSession] = useState(ownerId === undefined ? undefined : { workspaceId: ownerId });
  useEffect(() => {
    if (ownerId !== undefined || !("signedIn" in document.documentElement.dataset)) return;
    const controller = new AbortController();
    void ownWorkspace(controller.signal).then((id) => id !== undefined && setSession({ workspaceId: id }));
    return () => controller.abort();
  }, [ownerId]);
  const drop = useCallback(() => ownerId === undefined && setSession(undefined), [ownerId]);
  return { session, drop };
}

/**
 * The id of the person's first workspace, their own; undefined if nobody is signed in or the service is unavailable.
 */
async function ownWorkspace(signal: AbortSignal): Promise<string | undefined> {
  try {
    const reply = await fetch("/api/account", { signal });
    if (!reply.ok) return undefined;
    const { workspaces } = (await reply.json()) as { workspaces: readonly { id: string }[] };
    return workspaces[0]?.id;
  } catch {
    return undefined;
  }
}
