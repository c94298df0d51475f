import { quoteLiteral } from "@/lib/engine/sql/identifier";

/**
 * Converts a local time, stored in column `local` as if it were UTC, to an instant of its zone, by layers that end with
 * `<name>z`. DuckDB moves a time that the zone skips forwards, and takes the later of two ambiguous instants. Both
 * cases are detected by casting back, and by the offsets of the surrounding days (`<name>d`: by how much the clock is
 * put back).
 */
export function inZone(
  local: string,
  name: string,
  zone: string,
  { ambiguous }: { ambiguous: "error" | "earlier" | "later" },
): string[] {
  const z = quoteLiteral(zone);
  const naive = `make_timestamp(epoch_us(${local}))`;
  const offset = (instant: string) => `(timezone(${z}, ${instant}) - make_timestamp(epoch_us(${instant})))`;
  const back = `${offset(`${name}t - INTERVAL 1 DAY`)} - ${offset(`${name}t + INTERVAL 1 DAY`)}`;
  const earlier = `${name}t - ${name}d`;
  return [
    `${naive} AS ${name}n`,
    `timezone(${z}, ${name}n) AS ${name}t`,
    `CASE WHEN ${back} > INTERVAL 0 SECOND THEN ${back} ELSE INTERVAL 0 SECOND END AS ${name}d, ` +
      `timezone(${z}, ${name}t) <> ${name}n AS ${name}gap`,
    `${name}d > INTERVAL 0 SECOND AND timezone(${z}, ${earlier}) = ${name}n AS ${name}two`,
    `${ambiguous === "earlier" ? `CASE WHEN ${name}two THEN ${earlier} ELSE ${name}t END` : `${name}t`} AS ${name}z`,
  ];
}

/** SQL: whether the recipe rejects the local time. */
export function isBadInZone(name: string, { ambiguous, gap }: { ambiguous: string; gap: string }): string {
  const tests = [...(gap === "error" ? [`${name}gap`] : []), ...(ambiguous === "error" ? [`${name}two`] : [])];
  return tests.length === 0 ? "FALSE" : `(${tests.join(" OR ")})`;
}
