import { type FaultyOffice, OFFICE_DEEDS, type OfficeDeed } from "./faulty-office";
import { propertyParameters } from "./property";

/** A dataset of an office, and what the test itself knows about it. */
export interface OfficeDataset {
  office: FaultyOffice;
  at: number;
  datasetId: string;
  slug: string;
  /** Hosted paths by table. */
  paths: Readonly<Record<string, string>>;
  /** The edition that is served. */
  served: number;
  failures: number;
}

/** How each behaviour of an office affects a refresh, and what is recorded about the reading. */
export const OFFICE_ENDS: Readonly<Record<OfficeDeed, { end: string; reading: "changed" | "unchanged" | "failed" }>> = {
  new_rows: { end: "released", reading: "changed" },
  same: { end: "unchanged", reading: "unchanged" },
  other_bytes: { end: "unchanged", reading: "unchanged" },
  no_answer: { end: "source_timeout", reading: "failed" },
  not_found: { end: "source_status", reading: "failed" },
  server_error: { end: "source_status", reading: "failed" },
  wrong_bytes: { end: "reader_mismatch", reading: "failed" },
  truncated: { end: "source_unreachable", reading: "failed" },
  other_columns: { end: "schema_violation", reading: "changed" },
  wrong_values: { end: "check_failed", reading: "changed" },
};

/** Behaviours that another request may not encounter. */
const PASSING: ReadonlySet<OfficeDeed> = new Set(["no_answer", "server_error", "truncated"] as const);
const RETRIES = 3;

/** Behaviours whose bytes must be decoded to find out what they are. */
const DECODED: ReadonlySet<OfficeDeed> = new Set([
  ...(["new_rows", "other_bytes", "wrong_bytes", "other_columns", "wrong_values"] as const),
]);

/** Increments the count of a kind. */
export const count = (counts: Record<string, number>, key: string): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

/** The same behaviours for the same seed. Each one occurs among the first. */
export function* officeDeeds(runs: number): Generator<OfficeDeed> {
  let state = propertyParameters(runs).seed;
  const weights: readonly OfficeDeed[] = [...OFFICE_DEEDS, "new_rows", "new_rows", "new_rows", "same"];
  for (const deed of OFFICE_DEEDS.toReversed()) yield deed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield weights[Math.floor((state / 2 ** 32) * weights.length)] ?? "same";
  }
}

/** What the test itself counts, independently of the service. */
export class OfficeBooks {
  readonly ends: Record<string, number> = {};
  readonly readings: Record<string, number> = {};
  releases = 0;
  decoded = 0;
  retries = 0;

  /** Notes a refresh that is over. */
  note(subject: OfficeDataset): void {
    const { office } = subject;
    const { end, reading } = OFFICE_ENDS[office.deed];
    count(this.ends, end);
    count(this.readings, reading);
    if (DECODED.has(office.deed)) this.decoded += 1;
    if (end === "released") {
      subject.served = office.edition;
      this.releases += 1;
    }
    subject.failures = end === "released" || end === "unchanged" ? 0 : subject.failures + 1;
    if (PASSING.has(office.deed) && subject.failures <= RETRIES) this.retries += 1;
  }
}
