import { type ApprovalBrief, isRunFailure, RUN_FAILURES, type RunBrief, type RunResult } from "@/lib/schemas/run";
import type { StoredRun } from "@/lib/store/runs/runs";

const POLL_SAMPLE_MS = 1000;
const POLL_FULL_MS = 5000;

/** The URL where a person approves a run. */
export const approvalUrl = (base: string, run: StoredRun): string =>
  `${base}/studio/${run.dataset.slug}/runs/${run.id}/approve`;

/** The common fields of every reply about a run. */
export function briefOf(run: StoredRun, base: string): RunBrief {
  const { phase, ...progress } = run.progress as { phase?: string; done?: number; of?: number | null; unit?: string };
  const isFull = run.state === "running_full" || run.state === "queued_full";
  const isUnderWay = isFull || run.state === "running" || run.state === "queued";
  return {
    run_id: run.id,
    dataset: run.dataset.slug,
    revision: run.revision.number,
    kind: run.kind,
    state: run.state,
    outcome: run.outcome,
    ...(run.releases.length > 0 && { current: isCurrent(run) }),
    ...(run.approvals.some(({ state }) => state === "asked") && { asks: true as const }),
    ...(phase !== undefined && { phase }),
    ...(progress.done !== undefined && {
      progress: { done: progress.done, of: progress.of ?? null, unit: progress.unit ?? "" },
    }),
    ...(run.failureCode !== null && { failure: failureOf(run.failureCode, run.failureMessage) }),
    created_at: run.createdAt.toISOString(),
    updated_at: run.updatedAt.toISOString(),
    ...(run.expiresAt && { expires_at: run.expiresAt.toISOString() }),
    ...(isUnderWay && { poll_after_ms: isFull ? POLL_FULL_MS : POLL_SAMPLE_MS }),
    next: nextOf(run, base),
  };
}

const failureOf = (code: string, message: string | null) => ({
  code,
  message: message ?? "",
  fix: isRunFailure(code) ? RUN_FAILURES[code] : RUN_FAILURES.internal,
});

function nextOf(run: StoredRun, base: string): string {
  const digest = resultOf(run)?.recipe_digest ?? "";
  switch (run.state) {
    case "planned":
      return `confirm_run {"run_id":"${run.id}"} starts the sample.`;
    case "queued":
    case "running":
    case "queued_full":
    case "running_full":
      return `get_run {"run_id":"${run.id}","known_state":"${run.state}","wait_ms":20000} waits for it.`;
    case "awaiting_approval":
      return run.approvals.some(({ kind, state }) => kind === "run" && state === "asked")
        ? `Show your person ${approvalUrl(base, run)}; nothing runs until they approve there.`
        : `${lookAt(resultOf(run))}, then approve_full_run {"run_id":"${run.id}","recipe_digest":"${digest}"}.`;
    case "sealed":
      return sealedNext(run);
    default:
      return `start_run {"dataset":"${run.dataset.slug}"} plans a new run.`;
  }
}

/** Small tables are included in the reply itself, which saves a call. */
const lookAt = (result: RunResult | undefined): string =>
  result?.tables.every(({ table, rows }) => result.preview[table]?.rows.length === rows)
    ? "Compare preview, which has all rows, with the source"
    : "Look at it with query_run";

const isCurrent = ({ releases }: StoredRun): boolean =>
  releases.every(({ versionId, table }) => table.currentVersionId === versionId);

function sealedNext(run: StoredRun): string {
  const { dataset, releases } = run;
  const [first] = releases;
  if (!first) return `Nothing is new. get_my_dataset {"dataset":"${dataset.slug}"} returns what is current.`;
  return isCurrent(run)
    ? `Current: query_table {"table_id":"${dataset.slug}/${first.table.slug}"} reads it.`
    : `Sealed, not current: promote_table {"dataset":"${dataset.slug}"} makes it current. Until then, query_run ` +
        "reads it.";
}

/** The result of a sample or full run; undefined until one has ended. */
export const resultOf = (run: StoredRun): RunResult | undefined =>
  (run.sample as unknown as RunResult | null) ?? undefined;

/** The pending approval, otherwise the one requested last; undefined if there was none. */
export function lastApproval({ approvals }: StoredRun): StoredRun["approvals"][number] | undefined {
  const rank = ({ state }: { state: string }) => (state === "asked" ? 0 : 1);
  return [...approvals].sort((a, b) => rank(a) - rank(b) || b.askedAt.getTime() - a.askedAt.getTime())[0];
}

/** The same, as returned in replies. */
export function approvalOf(run: StoredRun, base: string): ApprovalBrief | undefined {
  const last = lastApproval(run);
  if (!last) return undefined;
  return {
    state: last.state,
    ...(last.state === "asked" && { approval_url: approvalUrl(base, run), expires_at: last.expiresAt.toISOString() }),
    asked_at: last.askedAt.toISOString(),
    who_can: last.kind === "run" ? "members" : "owners",
    reason: last.reason,
  };
}
