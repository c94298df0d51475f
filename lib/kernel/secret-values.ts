import { processWide } from "./process-wide";

const SHORTEST = 8; // anything shorter is a word that logs may hold

/**
 * The secrets of the service itself that this process has read or made: what is written to a log is searched for them.
 */
export const secretValues = (): ReadonlySet<string> => values();

/** Notes a secret and returns it. */
export function keepFromLogs(value: string): string {
  if (value.length >= SHORTEST) values().add(value);
  return value;
}

const values = (): Set<string> => processWide("secret-values", () => new Set());
