import type { EvidenceSketch } from "./sketch";

/**
 * What is known, and the verdict at each of several moments (UTC). Written before the rules; each line was worked out
 * by hand. `fresh`, `awaiting_update` and `stale` have their only reason; a blocking source is named unless it is
 * "source 1".
 */
export interface FreshnessCase {
  about: string;
  sketch: EvidenceSketch;
  moments: readonly (readonly [now: string, verdict: string])[];
}

const R = ["2026-01-01T00:00"];
const DAILY = { from: "2026-01-01T00:00", hours: 24 };
/** Changes on six Mondays: five intervals of a week. */
const MONDAYS = [
  "2026-01-05T00:00",
  "2026-01-12T00:00",
  "2026-01-19T00:00",
  "2026-01-26T00:00",
  "2026-02-02T00:00",
  "2026-02-09T00:00",
];

/** The rules that precede the window, in order. */
export const RULE_CASES: readonly FreshnessCase[] = [
  {
    about: "nothing is released, although sources were read",
    sketch: { sources: [{ ...DAILY, changes: MONDAYS }] },
    moments: [
      ["2026-01-02T00:00", "unknown: no_release"],
      ["2026-02-10T00:00", "unknown: no_release"],
    ],
  },
  {
    about: "nothing is released and nothing read",
    sketch: {},
    moments: [["2026-01-02T00:00", "unknown: no_release"]],
  },
  {
    about: "published by hand: there is no source",
    sketch: { releases: R },
    moments: [
      ["2026-01-01T00:00", "unknown: no_observation"],
      ["2036-01-01T00:00", "unknown: no_observation"],
    ],
  },
  {
    about: "a source that was never read",
    sketch: { releases: R, sources: [{}] },
    moments: [["2026-01-02T00:00", "unknown: no_observation"]],
  },
  {
    about: "a declared schedule says nothing about a source that was never read",
    sketch: {
      releases: R,
      sources: [{}],
      schedule: { every: "P1D", anchor: "2026-01-01T00:00", expected_by: "09:00" },
    },
    moments: [["2026-01-02T00:00", "unknown: no_observation"]],
  },
  {
    about: "a static source that was never read",
    sketch: { releases: R, sources: [{ status: "static" }] },
    moments: [["2026-01-02T00:00", "unknown: no_observation"]],
  },
  {
    about: "releases were replayed, and nobody read the source: nothing is claimed, however new they are",
    sketch: { releases: R, readHours: 24, sources: [{ replays: MONDAYS }] },
    moments: [
      ["2026-01-05T00:00", "unknown: no_observation"],
      ["2026-02-09T00:01", "unknown: no_observation"],
      ["2026-02-16T00:00", "unknown: no_observation"],
    ],
  },
  {
    about: "replayed, then read: changes of the replayed ones are known to within a week, which teaches nothing",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [{ replays: MONDAYS, from: "2026-02-09T12:00", hours: 24, until: "2026-02-11T12:00" }],
    },
    moments: [
      ["2026-02-09T11:00", "unknown: no_observation"],
      ["2026-02-09T12:00", "learning: not_enough_history"],
      ["2026-02-13T12:00", "learning: not_enough_history"],
      ["2026-02-13T12:01", "unknown: observation_overdue"],
    ],
  },
  {
    about: "a release of a static source was replayed: its content is known, and it is complete",
    sketch: { releases: R, sources: [{ status: "static", replays: ["2025-10-04T17:45"] }] },
    moments: [["2026-11-22T00:00", "dormant: source_static"]],
  },
  {
    about: "read daily until the 10th: overdue after more than two intervals",
    sketch: { releases: R, readHours: 24, sources: [{ ...DAILY, until: "2026-01-10T00:00" }] },
    moments: [
      ["2026-01-10T00:00", "learning: not_enough_history"],
      ["2026-01-11T23:00", "learning: not_enough_history"],
      ["2026-01-12T00:00", "learning: not_enough_history"],
      ["2026-01-12T00:00:00.001", "unknown: observation_overdue"],
      ["2026-06-01T00:00", "unknown: observation_overdue"],
    ],
  },
  {
    about: "read every quarter of an hour: overdue only after an hour",
    sketch: {
      releases: R,
      readHours: 0.25,
      sources: [{ from: "2026-01-01T00:00", hours: 0.25, until: "2026-01-01T10:00" }],
    },
    moments: [
      ["2026-01-01T10:31", "learning: not_enough_history"],
      ["2026-01-01T11:00", "learning: not_enough_history"],
      ["2026-01-01T11:00:01", "unknown: observation_overdue"],
    ],
  },
  {
    about: "a failed reading is a reading: the scheduler is alive",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [{ ...DAILY, until: "2026-01-10T00:00", fails: [["2026-01-09T00:00", "2026-01-10T00:00"]] }],
    },
    moments: [
      ["2026-01-09T12:00", "learning: not_enough_history"],
      ["2026-01-12T00:00", "source_unhealthy: source_reads_failing"],
      ["2026-01-12T00:01", "unknown: observation_overdue"],
    ],
  },
  {
    about: "one of two sources is read, which shows that the scheduler is alive",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [{ ...DAILY, until: "2026-01-10T00:00" }, DAILY],
    },
    moments: [["2026-01-20T00:00", "learning: not_enough_history"]],
  },
  {
    about: "a release without any reading of one of its sources",
    sketch: { releases: R, readHours: 24, sources: [DAILY, { name: "b" }] },
    moments: [["2026-01-02T00:00", "unknown: evidence_conflict"]],
  },
  {
    about: "a static source that changed",
    sketch: { releases: R, sources: [{ ...DAILY, status: "static", changes: ["2026-01-05T00:00"] }] },
    moments: [
      ["2026-01-04T12:00", "dormant: source_static"],
      ["2026-01-05T00:00", "unknown: evidence_conflict"],
      ["2026-03-05T00:00", "unknown: evidence_conflict"],
    ],
  },
  {
    about: "a retired source that changed",
    sketch: { releases: R, sources: [{ ...DAILY, status: "retired", changes: ["2026-01-05T00:00"] }] },
    moments: [
      ["2026-01-04T12:00", "dormant: source_retired"],
      ["2026-01-05T00:00", "unknown: evidence_conflict"],
    ],
  },
  {
    about: "data for future days: up to two days may be due to time zones",
    sketch: { releases: [["2026-01-01T00:00", "2026-01-12"]], readHours: 24, sources: [DAILY] },
    moments: [
      ["2026-01-09T23:59", "unknown: evidence_conflict"],
      ["2026-01-10T00:00", "learning: not_enough_history"],
      ["2026-01-12T00:00", "learning: not_enough_history"],
    ],
  },
  {
    about: "forecasts of a year, declared as such",
    sketch: {
      releases: [["2026-01-01T00:00", "2026-12-31"]],
      readHours: 24,
      sources: [DAILY],
      schedule: { every: "P1D", anchor: "2026-01-01T00:00", ahead: "P1Y" },
    },
    moments: [["2026-01-02T00:00", "learning: not_enough_history"]],
  },
  {
    about: "forecasts of more than the declared month",
    sketch: {
      releases: [["2026-01-01T00:00", "2026-12-31"]],
      readHours: 24,
      sources: [DAILY],
      schedule: { every: "P1D", anchor: "2026-01-01T00:00", ahead: "P1M" },
    },
    moments: [
      ["2026-01-02T00:00", "unknown: evidence_conflict"],
      ["2026-11-29T00:00", "learning: not_enough_history"],
    ],
  },
  {
    about: "only static and retired sources: retired, and nobody has to read them",
    sketch: {
      releases: R,
      sources: [
        { ...DAILY, status: "static", until: "2026-01-02T00:00" },
        { ...DAILY, status: "retired", until: "2026-01-02T00:00" },
      ],
    },
    moments: [["2030-01-01T00:00", "dormant: source_retired"]],
  },
  {
    about: "only static sources, whose readings fail",
    sketch: {
      releases: R,
      sources: [{ ...DAILY, status: "static", fails: [["2026-01-03T00:00", "2026-02-01T00:00"]] }],
    },
    moments: [["2026-01-20T00:00", "dormant: source_static"]],
  },
  {
    about: "an active source and a static one: the static one says nothing",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [
        { ...DAILY, changes: MONDAYS },
        { ...DAILY, status: "static", until: "2026-01-01T00:00" },
      ],
    },
    moments: [
      ["2026-01-20T00:00", "learning: not_enough_history"],
      ["2026-02-12T00:00", "fresh, low, 2026-02-16T00:00 to 2026-02-18T00:00"],
    ],
  },
  {
    about: "one failed reading is ignored; two in a row make a source unhealthy, until it is read again",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [
        {
          ...DAILY,
          fails: [
            ["2026-01-05T00:00", "2026-01-05T00:00"],
            ["2026-01-08T00:00", "2026-01-10T00:00"],
          ],
        },
      ],
    },
    moments: [
      ["2026-01-05T12:00", "learning: not_enough_history"],
      ["2026-01-08T12:00", "learning: not_enough_history"],
      ["2026-01-09T00:00", "source_unhealthy: source_reads_failing"],
      ["2026-01-10T12:00", "source_unhealthy: source_reads_failing"],
      ["2026-01-11T00:00", "learning: not_enough_history"],
    ],
  },
  {
    about: "an unhealthy source takes precedence over a passed window, and is named",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [
        { ...DAILY, name: "a", changes: MONDAYS },
        { ...DAILY, name: "b", changes: MONDAYS, fails: [["2026-03-01T00:00", "2026-03-31T00:00"]] },
      ],
    },
    moments: [
      ["2026-02-28T00:00", "stale, low, 2026-02-16T00:00 to 2026-02-18T00:00 by a"],
      ["2026-03-01T12:00", "stale, low, 2026-02-16T00:00 to 2026-02-18T00:00 by a"],
      ["2026-03-02T00:00", "source_unhealthy: source_reads_failing by b"],
    ],
  },
  {
    about: "an unlisted source is not named, whatever it does",
    sketch: {
      releases: R,
      readHours: 24,
      sources: [{ ...DAILY, listed: false, fails: [["2026-01-05T00:00", "2026-01-31T00:00"]] }],
    },
    moments: [["2026-01-06T00:00", "source_unhealthy: source_reads_failing"]],
  },
];
