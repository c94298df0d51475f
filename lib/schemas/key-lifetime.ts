const DAY_MS = 86_400_000;

/** Lifetimes of a new key; the first is the default. */
export const LIFETIMES = [
  { value: "90", label: "in 90 days" },
  { value: "30", label: "in 30 days" },
  { value: "365", label: "in a year" },
  { value: "date", label: "on a date…" },
  { value: "never", label: "never" },
] as const;

/**
 * When a key created now expires; null for never. A date means its last second in UTC; anything else is passed on for
 * the API to reject.
 */
export function expiryOf(lifetime: string, date: string, now: Date): string | null {
  if (lifetime === "never") return null;
  if (lifetime === "date") return `${date}T23:59:59Z`;
  if (!LIFETIMES.some(({ value }) => value === lifetime)) return lifetime;
  return new Date(now.getTime() + Number(lifetime) * DAY_MS).toISOString();
}

/** `2026-11-21`, some days after `now`, UTC. */
export const dayAfter = (now: Date, days: number): string =>
  new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
