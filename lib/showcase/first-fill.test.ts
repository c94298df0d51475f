import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { publishTable } from "@/lib/publish/publish";
import { countDatasets } from "@/lib/store/datasets/tables";
import { type FillProgress, fillText, readFillProgress, removeFillProgress } from "@/lib/store/fill-progress";
import { useTestState } from "@/lib/testing/database";
import { showcaseCatalogue } from "./catalogue";
import { readShowcase } from "./dataset-file";
import { beginFirstFill, fillCatalogue, resumeFill } from "./first-fill";
import { packageFile, showcaseInstalled } from "./package-file";
import { publishRequestOf } from "./showcase";

const CATALOGUE = showcaseCatalogue();
const palmerPenguins = readShowcase("palmer-penguins");

const { dataDir } = useTestState();
beforeEach(removeFillProgress);

const say = () => expect.unreachable();
const installed = () => true;

test("a production install starts with an empty catalogue, says why, and does not mark a fill", async () => {
  const lines: string[] = [];
  expect(await beginFirstFill({ say: (line) => lines.push(line), installed: () => false })).toBe(false);
  expect(lines).toEqual([expect.stringContaining("showcase packages are not installed")]);
  expect(await countDatasets()).toBe(0);
  expect(await readFillProgress()).toBeUndefined();
});

test("the error for a file of an omitted package names the command that installs it", () => {
  expect(showcaseInstalled()).toBe(true);
  expect(() => packageFile("mime-db-0-0", "db.json")).toThrow("mime-db-0-0/db.json is not installed. The showcase");
});

test("a fill that fails remains marked as stopped, and the next start resumes it, whatever exists", async () => {
  expect(await beginFirstFill({ say, installed })).toBe(true);
  const seen: FillProgress[] = [];
  const failing = resumeFill((progress) => seen.push(progress), fail);
  await expect(failing).rejects.toThrow("no room");
  expect(seen[0]).toEqual({ done: 0, total: CATALOGUE.length, next: [CATALOGUE[0]?.dataset.title] });
  expect(await readFillProgress()).toMatchObject({ done: 0, isStopped: true });
  expect(existsSync(join(dataDir(), "tmp", "showcase"))).toBe(false);

  await publishPenguins(); // something published in the meantime by somebody, or by the fill itself
  expect(await beginFirstFill({ say, installed })).toBe(true);
  expect(await readFillProgress()).toMatchObject({ isStopped: false });
});

test("a catalogue that somebody else fills or has filled is left alone", async () => {
  expect(await beginFirstFill({ say, installed })).toBe(false); // there is a dataset
  await resumeFill(() => expect.unreachable(), fail);
  expect(await readFillProgress()).toBe(undefined);

  const holding = Promise.withResolvers<void>();
  const first = fillCatalogue(
    () => undefined,
    () => holding.promise.then(fail),
  );
  await expect.poll(readFillProgress).toBeDefined();
  const second = resumeFill(() => expect.unreachable(), fail);
  await removeFillProgress(); // as the first does once it is complete
  holding.resolve();
  await expect(first).rejects.toThrow("no room");
  await second;
});

test("the file with which an earlier version marked a fill becomes the row", async () => {
  writeFileSync(join(dataDir(), "showcase-filling"), "");
  expect(await beginFirstFill({ say, installed })).toBe(true);
  expect(await readFillProgress()).toEqual({ done: 0, total: 0, next: [], isStopped: false });
  expect(existsSync(join(dataDir(), "showcase-filling"))).toBe(false);
});

test("people read how many datasets are loaded, and which ones are next", () => {
  const words = (done: number, ...next: string[]) => fillText({ done, total: 12, next });
  expect(words(5, "US ZIP codes", "MIME types")).toBe(
    "5 of 12 datasets loaded. Next: “US ZIP codes” and “MIME types”.",
  );
  expect(words(1, "US ZIP codes")).toBe("1 of 12 datasets loaded. Next: “US ZIP codes”.");
  expect(words(12)).toBe("12 of 12 datasets loaded.");
  expect(fillText({ done: 0, total: 0, next: [] })).toBe("It has just begun.");
});

const fail = (): Promise<never> => Promise.reject(new Error("no room"));

async function publishPenguins(): Promise<void> {
  const [table] = palmerPenguins.tables;
  const [version] = table?.versions ?? [];
  if (!table || !version) throw new Error("no version");
  const file = await version.prepare(dataDir());
  await publishTable({ file, ...publishRequestOf(palmerPenguins, table, version) }, { now: () => new Date() });
}
