import type { Engine } from "@/lib/engine/duckdb/engine";
import type { Membership } from "@/lib/store/people/workspaces";
import type { Actor } from "./actor";

/**
 * Where a call came in. The connector, and pages that a person reads as a member of a workspace, have their own rows in
 * the access table.
 */
export type Door = "http" | "connector" | "page" | "inside";

/**
 * What a call carries besides its input. Everything an operation does to the world goes through here or lib/store.
 * Immutable: to act as somebody else, an operation runs with a copy.
 */
export interface Context {
  readonly requestId: string;
  readonly method: string;
  readonly door: Door;
  /**
   * The client's address; undefined for internal calls (pages, the command line), to which no address limit applies.
   */
  readonly address: string | undefined;
  readonly actor: Actor;
  /**
   * Facts looked up under this generation may come from memory. It is confirmed before `run`; absent where everything
   * is looked up.
   */
  readonly generation?: string | undefined;
  /** The person's role in the workspace in the path, if the operation requires it. */
  readonly membership: Membership | undefined;
  /** The service's public URL, without a trailing slash. */
  readonly baseUrl: string;
  /** Milliseconds since the request arrived, by a monotonic clock. */
  elapsedMs(): number;
  readonly signal?: AbortSignal | undefined;
  now(): Date;
  header(name: string): string | null;
  engine(): Promise<Engine>;
  /** Receives failures that the caller does not see. */
  onBackgroundError(error: unknown): void;
  /** Headers of the reply, whether it succeeds or fails. */
  readonly replyHeaders: Headers;
  /** Whether other sites' pages may not read the reply. */
  readonly isPersonal: boolean;
  /**
   * Ends a page of rows earlier than the caller's tier would, for readers who pay for every token. Rows are sent as
   * lists of values, and counted as such.
   */
  readonly pageBytesMax?: number;
}
