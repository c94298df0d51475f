/**
 * A quantile by linear interpolation between order statistics (Hyndman and Fan's type 7), rounded to the millisecond.
 * Needs at least one value.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below = 0, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return Math.round(below + (place - Math.floor(place)) * (above - below));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
