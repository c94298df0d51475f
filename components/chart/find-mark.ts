import type { Drawing, Mark } from "./drawing";

/** Maximum distance of the pointer from a point, in pixels. */
const REACH = 28;

/** The mark at a position in the picture; undefined if there is none. */
export function findMark(drawing: Drawing, x: number, y: number): number | undefined {
  const { marks } = drawing;
  if (marks[0]?.shape === "bar" || marks[0]?.shape === "cell")
    return positive(
      marks.findIndex(({ hit }) => x >= hit.x && x <= hit.x + hit.width && y >= hit.y && y <= hit.y + hit.height),
    );
  const isLine = marks[0]?.shape === "vertex";
  const farness = (mark: Mark) =>
    isLine ? Math.abs(mark.x - x) * 1000 + Math.abs(mark.y - y) : Math.hypot(mark.x - x, mark.y - y);
  let best: { at: number; far: number } | undefined;
  for (const [at, mark] of marks.entries()) {
    const far = farness(mark);
    if (!best || far < best.far) best = { at, far };
  }
  return best && (isLine || best.far <= REACH) ? best.at : undefined;
}

const positive = (at: number): number | undefined => (at < 0 ? undefined : at);

/** The marks shown together: all lines at the same position, otherwise just this one. */
export function marksBeside({ marks }: Drawing, at: number): Mark[] {
  const mark = marks[at];
  if (!mark) return [];
  if (mark.shape !== "vertex") return [mark];
  const beside = marks.filter((other) => Math.abs(other.x - mark.x) < 0.05);
  const ofSeries = new Map(beside.map((other) => [other.series, other]));
  return [...ofSeries.set(mark.series, mark).values()].sort((a, b) => a.y - b.y);
}

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + 10,
  PageUp: (at) => at - 10,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The mark that a key moves to; undefined for other keys. */
export function markAfter(key: string, at: number, count: number): number | undefined {
  const step = STEPS[key];
  return step && Math.max(0, Math.min(count - 1, step(at, count)));
}
