import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyParameters } from "@/lib/testing/property";
import type { Evidence, Observation, TableVerdict } from "./evidence";
import { tableVerdict } from "./verdict";

const HOUR_MS = 3_600_000;
const START = Date.parse("2025-01-01T00:00:00Z");

const observations: fc.Arbitrary<Observation[]> = fc
  .array(fc.record({ afterHours: fc.integer({ min: 1, max: 400 }), ok: fc.boolean(), changed: fc.boolean() }), {
    maxLength: 60,
  })
  .map((steps) => {
    let at = START;
    return steps.map(({ afterHours, ok, changed }, index) => {
      at += afterHours * HOUR_MS;
      return { at, ok, changed: index === 0 || !ok ? null : changed };
    });
  });

const schedules: fc.Arbitrary<Evidence["schedule"]> = fc.option(
  fc.record({
    every: fc.constantFrom("PT6H", "P1D", "P1W", "P1M"),
    anchor: fc.constantFrom("2024-12-31T06:00", "2025-01-31T23:30"),
    time_zone: fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Kiritimati"),
    expected_by: fc.constantFrom("09:00", "PT2H", undefined),
    days: fc.constantFrom(["mon", "wed", "fri"] as const, undefined).map((days) => days && [...days]),
    on_upstream: fc.constant(false),
    on_upload: fc.constant(true),
  }),
);

const evidences: fc.Arbitrary<Evidence> = fc.record({
  sources: fc
    .array(
      fc.record({
        listed: fc.boolean(),
        status: fc.constantFrom("active", "active", "active", "static", "retired") as fc.Arbitrary<"active">,
        observations,
      }),
      { maxLength: 3 },
    )
    .map((sources) => sources.map((source, at) => ({ ...source, name: `s${at}` }))),
  releases: fc.array(fc.record({ sealedAt: fc.constant(START), dataThrough: fc.constant(null) }), { maxLength: 1 }),
  failedRefreshAfter: fc.boolean(),
  schedule: schedules,
  readingIntervalMs: fc.constantFrom(0.25, 1, 24, 168).map((hours) => hours * HOUR_MS),
});

const newest = ({ sources }: Evidence): number =>
  Math.max(START, ...sources.flatMap((source) => source.observations.map(({ at }) => at)));

test("nothing is fresh without a release and a successful reading within two intervals", () => {
  fc.assert(
    fc.property(evidences, fc.nat(2000), (evidence, hours) => {
      const now = newest(evidence) + hours * HOUR_MS;
      const { state, window } = tableVerdict(evidence, now);
      if (state !== "fresh" && state !== "awaiting_update" && state !== "stale") return;
      expect(evidence.releases.length).toBeGreaterThan(0);
      expect(window).not.toBeNull();
      expect(evidence.sources.some(({ observations: read }) => read.some(({ ok }) => ok))).toBe(true);
      const waited = now - newest(evidence);
      expect(waited).toBeLessThanOrEqual(Math.max(2 * evidence.readingIntervalMs, HOUR_MS));
    }),
    propertyParameters(500),
  );
});

test("replayed releases without readings support no verdict except that a source is complete", () => {
  fc.assert(
    fc.property(evidences, fc.nat(2000), (given, hours) => {
      const replay = (each: Observation): Observation => ({ ...each, replayed: "1.0.0" });
      const sources = given.sources.map((each) => ({ ...each, observations: each.observations.map(replay) }));
      const { state, lastObservedAt } = tableVerdict({ ...given, sources }, newest(given) + hours * HOUR_MS);
      expect(["unknown", "dormant"]).toContain(state);
      expect(lastObservedAt).toBeNull();
    }),
    propertyParameters(500),
  );
});

test("between readings a verdict only gets worse: fresh, awaiting, stale, unknown", () => {
  const order = ["fresh", "awaiting_update", "stale", "unknown"];
  const rank = ({ state }: TableVerdict) => order.indexOf(state);
  fc.assert(
    fc.property(evidences, fc.array(fc.nat(500), { minLength: 2, maxLength: 8 }), (evidence, hours) => {
      const start = newest(evidence);
      const times = [...hours].sort((a, b) => a - b).map((count) => start + count * HOUR_MS);
      const verdicts = times.map((now) => tableVerdict(evidence, now));
      for (const [at, verdict] of verdicts.entries()) {
        const before = verdicts[at - 1];
        if (!before || before.state === verdict.state) continue;
        expect([before.state, verdict.state, rank(verdict) > rank(before) || verdict.state === "unknown"]).toEqual([
          before.state,
          verdict.state,
          true,
        ]);
      }
    }),
    propertyParameters(300),
  );
});

test("the order of the evidence does not matter", () => {
  fc.assert(
    fc.property(evidences, fc.nat(1000), (evidence, hours) => {
      const now = newest(evidence) + hours * HOUR_MS;
      const reversed = {
        ...evidence,
        releases: evidence.releases.toReversed(),
        sources: evidence.sources
          .toReversed()
          .map((source) => ({ ...source, observations: source.observations.toReversed() })),
      };
      expect(tableVerdict(reversed, now)).toEqual(tableVerdict(evidence, now));
    }),
    propertyParameters(300),
  );
});
