const UNITS = [
  { unit: "hour", seconds: 3600, from: 7200 },
  { unit: "minute", seconds: 60, from: 100 },
  { unit: "second", seconds: 1, from: 0 },
] as const;

/** How long to wait, rounded up: `37` → `37 seconds`, `3600` → `60 minutes`. */
export function waitText(seconds: number): string {
  const { unit, seconds: each } = UNITS.find(({ from }) => seconds >= from) ?? UNITS[2];
  const count = Math.ceil(seconds / each);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
