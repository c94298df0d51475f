import { expect, test } from "vitest";
import { type Doors, type Outcome, withBothDoors } from "@/lib/testing/both-doors";
import { damagedFile } from "@/lib/testing/damaged-file";
import { ruleBroken } from "@/lib/testing/door-files/judge";
import { propertyParameters, trialRuns } from "@/lib/testing/property";

/**
 * Files with damages: a door takes them or refuses them in words that name something. A single file:
 * `PROPERTY_SEED=<its seed> DAMAGED_FILES=1 npm run unit -- lib/readers/damaged-files.test.ts`.
 */

const FILES = trialRuns("DAMAGED_FILES", 60);
const { seed: SEED } = propertyParameters(FILES);
const REPORT_EVERY = 200;
const SECONDS_MAX = 60;

/** The outcome; broken if there is none. */
async function within(work: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ broken: `no outcome in ${SECONDS_MAX} seconds` }), SECONDS_MAX * 1000);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What is wrong with the outcome at each door, and how many refused it. */
async function sent(doors: Doors, seed: number): Promise<{ faults: string[]; refused: number }> {
  const { file, bytes, how } = await damagedFile(seed);
  const outcomes = await Promise.all([within(doors.publish(file, bytes)), within(doors.recipe(file, bytes))]);
  const faults = outcomes.flatMap((outcome, at) => {
    const fault = ruleBroken(outcome);
    return fault === undefined ? [] : [`seed ${seed}, ${["publish", "recipe"][at]}, ${how}: ${fault.slice(0, 500)}`];
  });
  return { faults, refused: outcomes.filter((outcome) => "refused" in outcome).length };
}

test(`${FILES} damaged files are taken or refused in words`, async () => {
  const failures: string[] = [];
  let count = 0;
  const startedAt = performance.now();
  await withBothDoors(async (doors) => {
    for (let index = 0; index < FILES; index += 1) {
      const { faults, refused } = await sent(doors, SEED + index);
      failures.push(...faults);
      count += refused;
      if (FILES > REPORT_EVERY && (index + 1) % REPORT_EVERY === 0) report(index + 1, startedAt, failures);
    }
  });
  expect(failures).toEqual([]);
  if (FILES >= 60) expect(count).toBeGreaterThan(FILES / 2);
});

function report(done: number, startedAt: number, failures: readonly string[]): void {
  const rate = (done / (performance.now() - startedAt)) * 1000;
  process.stdout.write(`${done} files, ${rate.toFixed(1)} a second, ${failures.length} failures\n`);
  if (failures.length > 0) process.stdout.write(`${failures.slice(-3).join("\n")}\n`);
}
