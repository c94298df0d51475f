import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";
import { addressBlock } from "./address";

/** The reader of a reply: a client's address and, if it sent a credential, its subject (`key:…`, `agent:…`). */
export interface Caller {
  address?: string | undefined;
  subject?: string | undefined;
}

export interface ReplyLimits {
  /** Memory of all replies that clients are still reading. */
  bytesMax: number;
  /** The same per address, and per credential. */
  callerBytesMax: number;
  addressRepliesMax: number;
  subjectRepliesMax: number;
}

interface Share {
  replies: number;
  bytes: number;
}

/** Replies up to this size need no slot: the operating system's buffers take them immediately. */
export const SMALL_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = 5;

/**
 * The memory that clients hold by reading slowly: one budget for the process, and a share of it per address and
 * credential. A reply is counted from its first byte until the operating system has taken its last.
 */
export class RepliesInFlight {
  readonly #all: Share = { replies: 0, bytes: 0 };
  readonly #callers = new Map<string, Share>();

  constructor(readonly limits: ReplyLimits) {}

  /**
   * Counts a reply that keeps this many bytes in memory; call the returned function when it ends. Undefined if there is
   * no room.
   */
  begin(caller: Caller, bytes: number): (() => void) | undefined {
    const replies = bytes > SMALL_BYTES ? 1 : 0;
    const ids = idsOf(caller);
    if (this.#all.bytes + bytes > this.limits.bytesMax) return undefined;
    if (ids.some((id) => !this.#fits(id, replies, bytes))) return undefined;
    this.#add(ids, replies, bytes);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(ids, -replies, -bytes);
      isOver = true;
    };
  }

  /**
   * Rejects with `busy` if the process has no room for another reply, or if the caller already has as many in flight as
   * one caller may. Checked before any work or quota is spent.
   */
  requireRoom(caller: Caller): void {
    if (this.#all.bytes + SMALL_BYTES > this.limits.bytesMax) throw noRoom();
    if (idsOf(caller).some((id) => !this.#fits(id, 1, SMALL_BYTES))) throw noRoom();
  }

  /** What is currently in flight. */
  get held(): Readonly<Share> {
    return this.#all;
  }

  #fits(id: string, replies: number, bytes: number): boolean {
    const { replies: under = 0, bytes: held = 0 } = this.#callers.get(id) ?? {};
    const { addressRepliesMax, subjectRepliesMax, callerBytesMax } = this.limits;
    const repliesMax = id.startsWith(ADDRESS) ? addressRepliesMax : subjectRepliesMax;
    return under + replies <= repliesMax && held + bytes <= callerBytesMax;
  }

  #add(ids: readonly string[], replies: number, bytes: number): void {
    this.#all.replies += replies;
    this.#all.bytes += bytes;
    for (const id of ids) {
      const { replies: under = 0, bytes: held = 0 } = this.#callers.get(id) ?? {};
      if (held + bytes > 0) this.#callers.set(id, { replies: under + replies, bytes: held + bytes });
      else this.#callers.delete(id);
    }
  }
}

const ADDRESS = "address:";

const idsOf = ({ address, subject }: Caller): string[] => [
  ...(address ? [`${ADDRESS}${addressBlock(address)}`] : []),
  ...(subject ? [subject] : []),
];

/** The failure for a reply that there is no room for. */
export const noRoom = () =>
  fail("busy", {
    message: "Too many responses are still being sent. Finish or cancel some, then try again.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

const MIB = 1 << 20;

/** The budget of this process, from the settings. */
export const repliesInFlight = (): RepliesInFlight =>
  processWide("replies-in-flight", () => {
    const settings = env();
    return new RepliesInFlight({
      bytesMax: settings.REPLY_MEMORY_MB * MIB,
      callerBytesMax: settings.REPLY_MEMORY_CALLER_MB * MIB,
      addressRepliesMax: settings.REPLIES_PER_ADDRESS,
      subjectRepliesMax: settings.REPLIES_PER_KEY,
    });
  });
