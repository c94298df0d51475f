import { afterAll, describe, expect, test } from "vitest";
import { type Doors, withBothDoors } from "@/lib/testing/both-doors";
import { DOOR_FILES } from "@/lib/testing/door-files/all-files";
import type { DoorFile } from "@/lib/testing/door-files/door-file";
import { judged } from "@/lib/testing/door-files/judge";
import { trialRuns } from "@/lib/testing/property";

/** Every file in `npm run trial -- corpus`, every third in the ordinary tests. */
const EVERY = trialRuns("CORPUS_EVERY", 3);

/** Both doors stay open for all files. */
let close: () => void = () => undefined;
const doors = new Promise<Doors>((opened) => {
  void withBothDoors(async (both) => {
    opened(both);
    await new Promise<void>((done) => {
      close = done;
    });
  });
});

const failures: { theme: string; name: string; door: string; why: string }[] = [];

afterAll(() => {
  close();
  if (failures.length === 0) return;
  const table = failures.map(({ theme, name, door, why }) => `${theme} · ${name} · ${door}: ${why.slice(0, 600)}`);
  process.stdout.write(`\n${table.join("\n")}\n${failures.length} failures\n`);
});

async function check(theme: string, file: DoorFile, door: "publish" | "recipe"): Promise<string | undefined> {
  const bytes = typeof file.bytes === "function" ? await file.bytes() : file.bytes;
  const outcome = await (await doors)[door](file.file, bytes);
  const why = judged(outcome, file[door], door === "recipe" ? file.notWarned : undefined);
  if (why !== undefined) failures.push({ theme, name: file.name, door, why });
  return why;
}

describe.each(Object.entries(DOOR_FILES))("%s", (theme, files) => {
  test.each(files.filter((_, at) => at % EVERY === 0).map((file) => [file.name, file] as const))(
    "%s",
    async (_name, file) => {
      expect({
        publish: await check(theme, file, "publish"),
        recipe: await check(theme, file, "recipe"),
      }).toEqual({ publish: undefined, recipe: undefined });
    },
  );
});

test("there are at least 220 of them, with names of their own", () => {
  const names = Object.entries(DOOR_FILES).flatMap(([theme, files]) => files.map(({ name }) => `${theme}: ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(220);
});
