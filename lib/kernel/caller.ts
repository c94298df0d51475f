import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "./process-wide";

/** For whom work is being done, known to everything that it calls: whoever shares something gives turns by it. */
export interface CallerAtWork {
  /** A credential, or an address. */
  subject: string;
  /** Whether it has a turn of its own already, so that what it needs for its work takes none. */
  hasTurn: boolean;
  /** Database connections that it holds. */
  connections: { held: number };
}

const atWork = () => processWide("caller", () => new AsyncLocalStorage<CallerAtWork | undefined>());

/** Undefined for the service itself, such as its workers and what it does for all callers together. */
export const callerAtWork = (): CallerAtWork | undefined => atWork().getStore();

/** The subject by which to give turns to whatever is being done. */
export const subjectAtWork = (): string => callerAtWork()?.subject ?? "service";

/** Does work for a caller. */
export const asCaller = <T>(subject: string, work: () => T): T =>
  atWork().run({ hasTurn: false, connections: { held: 0 }, ...callerAtWork(), subject }, work);

/** Does work in a turn that the caller has got for all of it. */
export function inOwnTurn<T>(work: () => T): T {
  const caller = callerAtWork();
  return caller ? atWork().run({ ...caller, hasTurn: true }, work) : work();
}

/** Does work whose result several callers wait for, so that none waits for another one's turn. */
export const asService = <T>(work: () => T): T => atWork().run(undefined, work);
