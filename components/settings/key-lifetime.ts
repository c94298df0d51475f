const DAY_MS = 86_400_000;

/** How long a new key may work; the first is what is proposed. */
export const LIFETIMES = [
  { value: "90", label: "in 90 days" },
  { value: "30", label: "in 30 days" },
  { value: "365", label: "in a year" },
  { value: "date", label: "on a date…" },
  { value: "never", label: "never" },
] as const;

/**
 * When a key ends that is made now: null for never. A date ends with its last second, UTC; what is no date is passed on
 * for the API to refuse.
 */
export function expiryOf(lifetime: string, date: string, now: Date): string | null {
  if (lifetime === "never") return null;
  if (lifetime === "date") return `${date}T23:59:59Z`;
  return new Date(now.getTime() + Number(lifetime) * DAY_MS).toISOString();
}

/** `2026-11-21`, some days after `now`, UTC. */
export const dayAfter = (now: Date, days: number): string =>
  new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
