import type { Engine } from "@/lib/engine/duckdb/engine";
import type { Membership } from "@/lib/store/workspaces";
import type { Actor } from "./actor";

/** Where a call came in. The connector has rows of the access table of its own. */
export type Door = "http" | "connector" | "inside";

/**
 * What a call brings along besides its input. Everything an operation does to the world goes through here or lib/store.
 * Nobody writes to it: who acts differently runs with a copy.
 */
export interface Context {
  readonly requestId: string;
  readonly method: string;
  readonly door: Door;
  /**
   * The client's address, or undefined for calls from inside (pages, the command line), which no address limit applies
   * to.
   */
  readonly address: string | undefined;
  readonly actor: Actor;
  /** What the person is in the workspace that the path names, where the operation asks for it. */
  readonly membership: Membership | undefined;
  /** The service's public address, without a trailing slash. */
  readonly baseUrl: string;
  /** performance.now() when the request arrived. */
  readonly startedAt: number;
  readonly signal?: AbortSignal | undefined;
  now(): Date;
  header(name: string): string | null;
  engine(): Promise<Engine>;
  /** Told of failures that the caller does not see. */
  onBackgroundError(error: unknown): void;
  /** Headers that the reply carries whether it succeeds or fails. */
  readonly replyHeaders: Headers;
  /** Other sites' pages may not read the reply. */
  readonly isPersonal: boolean;
  /** Ends a page of rows earlier than the caller's tier does: for readers who pay for every word. */
  readonly pageBytesMax?: number;
}
