import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anchored } from "@/lib/freshness/schedule";
import { fileDigest } from "@/lib/kernel/file-digest";
import { refreshSchema } from "@/lib/schemas/recipe";
import { trialRuns } from "@/lib/testing/property";
import {
  readAfterReplay,
  replaySequence,
  type SequenceReport,
  type VersionSequence,
} from "@/lib/testing/version-sequence";
import { showcaseCatalogue } from "./catalogue";

const CATALOGUE = showcaseCatalogue();

const NOW = Date.parse("2026-11-22T12:00Z");

/**
 * What is said at NOW of sources that were read since their first version, and what was learned, worked out by hand
 * from the releases' dates.
 */
const CASES = [
  {
    path: "nodejs-releases/releases",
    every: "P1D",
    // seen 15, 7, 14, 1, 14 and 4 days after each other: p10 2.5, p90 14.5, two days of grace, one of reading; of the
    // six, the one day is outside of what the others say
    verdict: "awaiting_update: update_window_open",
    learned: "2026-11-20T12:00 to 2026-12-05T12:00, medium, 83 %",
    foretold: "1 of 1",
  },
  {
    path: "mime-types/types",
    every: "P1W",
    // seen on Tuesdays, 49, 56, 56, 56, 49, 105, 875 and 245 days after each other; 875 is outside
    verdict: "stale: expected_window_passed",
    learned: "2025-05-06T00:00 to 2026-06-16T00:00, medium, 88 %",
    foretold: "1 of 3",
  },
  {
    path: "language-subtags/subtags",
    every: "P1W",
    // the newest 400 readings: 140, 378, 637, 686 and 469 days; 140 and 686 are outside, so three of five hold
    verdict: "learning: no_regular_pattern",
    learned: null,
    foretold: "0 of 0",
  },
  // of 400 daily readings there are at most two changes of media types, and one of subtags
  {
    path: "mime-types/types",
    every: "P1D",
    verdict: "learning: not_enough_history",
    learned: null,
    foretold: "0 of 1",
  },
  {
    path: "language-subtags/subtags",
    every: "P1D",
    verdict: "learning: not_enough_history",
    learned: null,
    foretold: "0 of 0",
  },
  // ten readings saw six changes, the last two at once
  {
    path: "nodejs-releases/releases",
    every: "P1W",
    verdict: "learning: not_enough_history",
    learned: null,
    foretold: "0 of 0",
  },
  ...["support", "features", "releases"].map((table) => ({
    path: `browser-compatibility/${table}`,
    every: "P1W",
    verdict: "learning: not_enough_history",
    learned: null,
    foretold: "0 of 0",
  })),
];

/** The suite has the first ones, `npm run trial -- sequences` all of them. */
const SHOWN = CASES.slice(0, trialRuns("SEQUENCES", 3));

let workDir: string;
const sequences = new Map<string, VersionSequence>();
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), "showcase-sequences-"));
  for (const path of new Set(SHOWN.map((each) => each.path))) sequences.set(path, await sequenceOf(path));
});
afterAll(() => rm(workDir, { recursive: true, force: true }));

/** The digest of every version's rows, from the installed packages. */
async function sequenceOf(path: string): Promise<VersionSequence> {
  const [slug, table] = path.split("/");
  const tables = CATALOGUE.find(({ dataset }) => dataset.slug === slug)?.tables ?? [];
  const versions: { at: number; digest: string }[] = [];
  for (const { publishedAt, prepare } of tables.find((each) => each.slug === table)?.versions ?? []) {
    const file = await prepare(workDir);
    versions.push({ at: publishedAt.getTime(), digest: await fileDigest(file) });
    await rm(file);
  }
  return versions;
}

function replayed(sequence: (typeof CASES)[number], readUntil = NOW): SequenceReport {
  const { versions, schedule } = scheduled(sequence);
  return replaySequence(versions, schedule, { now: NOW, readUntil });
}

function scheduled({ path, every }: (typeof CASES)[number]) {
  const versions = sequences.get(path) ?? [];
  return { versions, schedule: anchored(refreshSchema.parse({ every }), versions[0]?.at ?? 0) };
}

const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);

function wordsOf({ learned, verdict, foretold }: SequenceReport) {
  const window =
    learned &&
    `${minute(learned.earliest)} to ${minute(learned.latest)}, ${learned.confidence}, ${Math.round(learned.share * 100)} %`;
  return { verdict, learned: window, foretold: `${foretold.inside} of ${foretold.changes}` };
}

function print({ path, every }: (typeof CASES)[number], report: SequenceReport): void {
  const { verdict, learned, foretold } = wordsOf(report);
  const said = Object.entries(report.said).map(([state, count]) => `${state} ${count}`);
  process.stdout.write(
    `${path} read ${every}: ${report.changes} changes; now ${verdict}; learned ${learned ?? "nothing"}; ` +
      `windows met by ${foretold} later changes; verdicts: ${said.join(", ")}; ` +
      `wrongly fresh ${report.wronglyFresh.length}\n`,
  );
}

describe.each(SHOWN)("$path, read every $every", (sequence) => {
  test("has the verdicts worked out by hand from the real releases, and is never fresh without evidence", () => {
    const report = replayed(sequence);
    print(sequence, report);
    const { path: _path, every: _every, ...expected } = sequence;
    expect(wordsOf(report)).toEqual(expected);
    expect(report.wronglyFresh).toEqual([]);
  });

  test("is unknown once nobody reads it, whatever was learned", () => {
    const report = replayed(sequence, NOW - 60 * 86_400_000);
    expect(report.verdict).toBe("unknown: observation_overdue");
    expect(report.wronglyFresh).toEqual([]);
  });
});

describe.each(SHOWN)("$path, replayed and then read $every", (sequence) => {
  test("is unknown until it is read, and learning afterwards: replayed releases were not observed to change", () => {
    const { versions, schedule } = scheduled(sequence);
    const { before, after } = readAfterReplay(versions, schedule, { from: NOW, readings: 30 });
    expect(before).toEqual(["unknown: no_observation"]);
    expect(after).toEqual(["learning: not_enough_history"]);
  });
});

test("at least one sequence is still learned, and at least one has a window", () => {
  expect(SHOWN.filter(({ verdict }) => verdict.startsWith("learning"))).not.toEqual([]);
  expect(SHOWN.filter(({ learned }) => learned !== null)).not.toEqual([]);
});
