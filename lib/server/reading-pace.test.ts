import { expect, test } from "vitest";
import { timeLeftMs } from "./reading-pace";

const BOUNDS = { idleMs: 60_000, readRate: 32 };

test.each([
  ["the first chunk gets a minute plus its own time", 0, 0, 32_000, 61_000],
  ["a fast reader gets no more for a chunk than that", 32_000_000, 1_000, 32_000, 61_000],
  ["a reader at the slowest average keeps its grace", 3_200_000, 100_000, 0, 60_000],
  ["one below the average gets what is left of its grace", 3_200_000, 150_000, 32_000, 11_000],
  ["one that used up its grace gets none", 32_000, 70_000, 0, 0],
])("%s", (_name, takenBytes, spentMs, nextBytes, left) =>
  expect(timeLeftMs({ takenBytes, spentMs }, nextBytes, BOUNDS)).toBe(left),
);

test("one kilobyte per second is too slow for 30 MiB, even if each chunk is in time", () => {
  const [pace, chunk] = [{ takenBytes: 0, spentMs: 0 }, 32_000];
  while (pace.takenBytes < 30 << 20 && timeLeftMs(pace, chunk, BOUNDS) > chunk) {
    pace.takenBytes += chunk;
    pace.spentMs += chunk; // at a byte per millisecond
  }
  expect(pace.takenBytes).toBeLessThan(100_000);
});
