import { findClient, type NewClient, type StoredClient, storeClient } from "@/lib/store/people/oauth-clients";
import { isDocumentAddress } from "./client-document";
import { KNOWN_CLIENTS } from "./known-clients";

const FRESH_MS = 3_600_000;
const KEPT_MS = 86_400_000;

type Fetch = (id: string, now: Date) => Promise<NewClient>;

/**
 * The client with this id: a registered one, or one whose id is the URL of its document. Undefined if there is none;
 * rejects with a message if its document cannot be used.
 */
export async function resolveClient(id: string, now: Date, fetch: Fetch): Promise<StoredClient | undefined> {
  const stored = await findClient(id);
  if (!isDocumentAddress(id)) return stored;
  if (stored?.fetchedAt && now.getTime() - stored.fetchedAt.getTime() < FRESH_MS) return stored;
  try {
    await storeClient(await fetch(id, now), now);
  } catch (error) {
    const known = KNOWN_CLIENTS[id];
    if (known)
      await storeClient({ id, kind: "document", authMethod: "none", secretHash: null, fetchedAt: null, ...known }, now);
    else if (!stored?.fetchedAt || now.getTime() - stored.fetchedAt.getTime() > KEPT_MS) throw error;
  }
  return findClient(id);
}
