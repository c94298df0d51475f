const DIGITS = 6;
const WHOLE = 100n * 10n ** BigInt(DIGITS);

/** Whether a count is within a limit, which is a count or a share of `of` such as `0.5%`. Exact: 57 of 100 are 57%. */
export function isWithin(count: number, limit: string | number, of: number): boolean {
  if (typeof limit === "number") return count <= limit;
  const [whole = "", fraction = ""] = limit.slice(0, -1).split(".");
  const share = BigInt(whole + fraction.padEnd(DIGITS, "0"));
  return BigInt(count) * WHOLE <= share * BigInt(of);
}
