import type { ListedLicence } from "@/lib/operations/sources/listed-licences";
import type { FreshnessReport } from "@/lib/schemas/freshness-report";
import { isRunFailure, RUN_FAILURES } from "@/lib/schemas/run";
import type { FailedRun, LastReadings, OpenEnds } from "@/lib/store/releases/diagnosis";

/** What a rule found: what is wrong, the rows that show it, and what to do. */
export interface Finding {
  severity: "problem" | "notice";
  code: string;
  message: string;
  evidence: Record<string, unknown>;
  fix: string;
  call?: { tool: string; args: Record<string, unknown> };
}

/** The schedule as it is shown: paused, held or slowed down. */
interface ShownSchedule {
  paused: { at: string; by: string; reason: string | null } | null;
  failures_in_row: number;
  slowed: boolean;
  held_reason: string | null;
}

/** Everything that the rules examine. */
export interface Diagnosed {
  dataset: string;
  table: string;
  freshness: FreshnessReport;
  schedule: ShownSchedule | null;
  ends: OpenEnds;
  lastFailures: readonly FailedRun[];
  readings: ReadonlyMap<string, LastReadings>;
  checks: readonly { check: string; message: string }[];
  /** Why credentials cannot be used. */
  credentials: readonly string[];
  /** Sources for which a provider's list states a different licence from the recipe. */
  licences: readonly ListedLicence[];
  /** Whether the newest recipe has a schedule, which takes effect within seconds of its approval. */
  refreshes: boolean;
  /** A release that was sealed after the current one. */
  unpromoted: { versionId: string; sealedAt: string } | null;
  hasRelease: boolean;
  /** What the last releases show when compared. */
  trends: readonly Finding[];
}

type Rule = (about: Diagnosed) => readonly Finding[];

const PAUSES: Readonly<Record<string, string>> = {
  plan_ended: "The workspace needs a paid plan. An owner renews it at /settings/workspace.",
  approval_expired: "A person must approve the recipe again: start a run and request approval.",
  failing: "Correct the causes of the last failures, and have the new recipe approved.",
};

const released: Rule = ({ hasRelease, dataset, unpromoted }) =>
  hasRelease || unpromoted
    ? []
    : [
        {
          severity: "problem",
          code: "no_release",
          message: "Nothing is current: no run has sealed a release of the table.",
          evidence: {},
          fix: "Start a run, look at its sample, and approve it.",
          call: { tool: "start_run", args: { dataset } },
        },
      ];

const unpromoted: Rule = ({ unpromoted: newer, dataset }) =>
  newer
    ? [
        {
          severity: "notice",
          code: "release_not_current",
          message: "A newer release is sealed but not current.",
          evidence: { version_id: newer.versionId, sealed_at: newer.sealedAt },
          fix: "Compare it with the current release, then make it current.",
          call: { tool: "promote_table", args: { dataset, version_id: newer.versionId } },
        },
      ]
    : [];

const failedRun: Rule = ({ ends: { lastRun } }) =>
  lastRun?.state === "failed"
    ? [
        {
          severity: "problem",
          code: "last_run_failed",
          message: `The last run failed: ${lastRun.message ?? ""} (${lastRun.code ?? "internal"})`,
          evidence: { run_id: lastRun.runId, failure: lastRun.code },
          fix:
            lastRun.code !== null && isRunFailure(lastRun.code)
              ? RUN_FAILURES[lastRun.code]
              : "Start the run again; the administrator finds the cause in the log.",
          call: { tool: "run_events", args: { run_id: lastRun.runId } },
        },
      ]
    : [];

const waiting: Rule = ({ ends: { waiting: run } }) =>
  run
    ? [
        {
          severity: "notice",
          code: "run_waits",
          message: `A run is ${run.state} and waits for a decision.`,
          evidence: { run_id: run.runId },
          fix: run.state === "planned" ? "Confirm it or cancel it." : "Look at its sample, then approve or cancel it.",
          call: { tool: "get_run", args: { run_id: run.runId } },
        },
      ]
    : [];

type SourceReport = FreshnessReport["sources"][number];

const sources: Rule = ({ freshness, readings }) =>
  freshness.sources.flatMap((source) => [
    ...failing(source, readings.get(source.name)),
    ...volatile(source, readings.get(source.name)),
  ]);

function failing(
  { name, consecutive_failures: count, last_observed_at }: SourceReport,
  last?: LastReadings,
): Finding[] {
  if (count === 0) return [];
  const { failureCode: failure = null, status = null } = last ?? {};
  return [
    {
      severity: count > 1 ? "problem" : "notice",
      code: status === 410 || status === 404 ? "source_gone" : "source_fails",
      message: `The last ${count === 1 ? "reading" : `${count} readings`} of ${name} failed.`,
      evidence: { source: name, failure, status, last_observed_at },
      fix: failure !== null && isRunFailure(failure) ? RUN_FAILURES[failure] : "Inspect the source.",
    },
  ];
}

function volatile({ name }: SourceReport, last?: LastReadings): Finding[] {
  if (last?.hows.length !== 3 || !last.hows.every((how) => how === "same_rows")) return [];
  return [
    {
      severity: "notice",
      code: "volatile_bytes",
      message: `${name} sends different bytes at every reading, but the same rows.`,
      evidence: { source: name, last_readings: last.hows },
      fix: "Nothing needs to be done, because rows are compared. Reading it less often saves time.",
    },
  ];
}

const schedule: Rule = ({ schedule: plan, dataset, freshness, refreshes }) => {
  if (!plan)
    return freshness.state === "dormant" || refreshes
      ? []
      : [
          {
            severity: "notice",
            code: "no_schedule",
            message: "Its sources are read only when somebody starts a run.",
            evidence: {},
            fix: "Propose a revision with refresh, such as {every: P1D}.",
            call: { tool: "start_run", args: { dataset } },
          },
        ];
  const found: Finding[] = [];
  if (plan.paused)
    found.push({
      severity: "problem",
      code: "schedule_paused",
      message: `The schedule is paused by ${plan.paused.by}${plan.paused.reason ? `: ${plan.paused.reason}` : ""}.`,
      evidence: { ...plan.paused },
      fix: PAUSES[plan.paused.reason ?? ""] ?? "Resume it.",
      ...(plan.paused.reason === null && {
        call: { tool: "update_dataset", args: { dataset, schedule: "resume" } },
      }),
    });
  if (plan.slowed)
    found.push({
      severity: "problem",
      code: "schedule_slowed",
      message: `After ${plan.failures_in_row} failures in a row its sources are read at most once a day.`,
      evidence: { failures_in_row: plan.failures_in_row },
      fix: "Correct the cause of the failures; a successful run ends the slowdown.",
    });
  if (plan.held_reason)
    found.push({
      severity: "notice",
      code: "schedule_held",
      message: `The last planned time started no run: ${plan.held_reason}.`,
      evidence: { held_reason: plan.held_reason },
      fix: "Wait for the next planned time, or start a run once the reason is gone.",
    });
  return found;
};

const verdict: Rule = ({ freshness, dataset }) => {
  const { state, reason_code, expected_next_latest, blocking_source, last_observed_at } = freshness;
  if (state === "stale")
    return [
      {
        severity: "problem",
        code: "update_missing",
        message: `No change was seen by ${expected_next_latest}${blocking_source ? ` in ${blocking_source}` : ""}.`,
        evidence: { expected_next_latest, last_changed_at: freshness.last_changed_at },
        fix: "Ask the publisher, or correct expected_by and grace if the window is too narrow.",
      },
    ];
  if (reason_code === "observation_overdue")
    return [
      {
        severity: "problem",
        code: "reading_overdue",
        message: "The sources were not read for more than twice the reading interval, so its freshness is unknown.",
        evidence: { last_observed_at },
        fix: "Start a run. If a schedule should have started one, ask the administrator to check the workers.",
        call: { tool: "start_run", args: { dataset } },
      },
    ];
  if (reason_code === "evidence_conflict")
    return [
      {
        severity: "problem",
        code: "evidence_conflict",
        message: "The declared schedule and the readings contradict each other.",
        evidence: { data_through: freshness.data_through },
        fix: "Check the status of the sources, and whether the time column may contain future dates.",
      },
    ];
  return [];
};

const checks: Rule = ({ checks: failed }) =>
  failed.map(({ check, message }) => ({
    severity: "notice" as const,
    code: "check_warns",
    message: `The check ${check} of the current release failed as a warning: ${message}`,
    evidence: { check },
    fix: "Look at the rows that fail, then correct the recipe or the check.",
  }));

const credentials: Rule = ({ credentials: faults }) =>
  faults.map((message) => ({
    severity: "problem" as const,
    code: "credential_unusable",
    message,
    evidence: {},
    fix: "A person must correct it at /settings/secrets.",
  }));

const trends: Rule = ({ trends: found }) => found;

const licences: Rule = ({ licences: differing }) =>
  differing.map(({ source, stated, listed, provider }) => ({
    severity: "notice" as const,
    code: "licence_differs",
    message:
      `${provider} lists ${source} under ${JSON.stringify(listed)}, but the recipe states ` +
      `${JSON.stringify(stated)}.`,
    evidence: { source, stated, listed, provider },
    fix: "Compare the licences. If the publisher's has changed, propose a revision that states it.",
  }));

const RULES: readonly Rule[] = [
  credentials,
  released,
  sources,
  failedRun,
  schedule,
  verdict,
  waiting,
  unpromoted,
  checks,
  trends,
  licences,
];

const FINDINGS_MAX = 20;

/** The findings, problems first. Pure: rules over rows, in a fixed order. */
export function findingsOf(about: Diagnosed): Finding[] {
  const found = RULES.flatMap((rule) => rule(about));
  const problems = found.filter(({ severity }) => severity === "problem");
  return [...problems, ...found.filter(({ severity }) => severity === "notice")].slice(0, FINDINGS_MAX);
}
