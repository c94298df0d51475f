import { processWide } from "./process-wide";

const SHORTEST = 8; // a shorter string is a word that logs may contain

/** The service's own secrets that this process has read or created. Log output is searched for them. */
export const secretValues = (): ReadonlySet<string> => values();

/** Registers a secret and returns it. */
export function keepFromLogs(value: string): string {
  if (value.length >= SHORTEST) values().add(value);
  return value;
}

const values = (): Set<string> => processWide("secret-values", () => new Set());
