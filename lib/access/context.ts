import type { Engine } from "@/lib/engine/duckdb/engine";
import type { AgentGrant } from "@/lib/oauth/access-token";
import type { StoredKey } from "@/lib/store/keys";
import type { LiveSession } from "@/lib/store/sessions";
import type { Membership } from "@/lib/store/workspaces";

/**
 * What a call brings along besides its input. Everything an operation does to the world goes through here or lib/store.
 */
export interface Context {
  requestId: string;
  method: string;
  /**
   * The client's address, or undefined for calls from inside (pages, the command line), which no address limit applies
   * to.
   */
  address: string | undefined;
  /** The use key that the call was made with, once it has been checked. */
  key: StoredKey | undefined;
  /** The connection that an agent's access token stands for, once it has been checked. */
  agent: AgentGrant | undefined;
  /** The signed-in person's session, once it has been checked. */
  session: LiveSession | undefined;
  /** What the person is in the workspace that the path names, where the operation asks for it. */
  membership: Membership | undefined;
  /** The service's public address, without a trailing slash. */
  baseUrl: string;
  /** performance.now() when the request arrived. */
  startedAt: number;
  signal?: AbortSignal | undefined;
  now(): Date;
  header(name: string): string | null;
  engine(): Promise<Engine>;
  /** Told of failures that the caller does not see. */
  onBackgroundError(error: unknown): void;
  /** Headers that the reply carries whether it succeeds or fails. */
  replyHeaders: Headers;
  /** Other sites' pages may not read the reply. */
  isPersonal: boolean;
  /** Ends a page of rows earlier than the caller's tier does: for readers who pay for every word. */
  pageBytesMax?: number;
}
