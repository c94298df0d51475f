import { exampleText } from "@/lib/describe/check-text";
import { leftOutCountText } from "@/lib/describe/left-out-text";
import { type CountedStep, leftOutText } from "@/lib/describe/step-rows-text";
import { formatBytes, formatCount, formatPlural } from "@/lib/kernel/format";
import type { ApprovalBrief, Estimate, RunBrief, RunCheck, RunResult } from "@/lib/schemas/run";
import type { TableDifference } from "@/lib/schemas/table-difference";
import { inTerminal } from "./terminal-text";

/** The fields of every reply about a run, and optional ones. */
export interface RunReply extends RunBrief {
  estimate?: Estimate;
  note?: string;
  sample?: RunResult;
  approval?: ApprovalBrief;
  differences?: TableDifference[];
}

/** The result of a run, and the next step. */
export function runLines({ estimate, note, sample, approval, differences = [], ...run }: RunReply): string[] {
  const { run_id, dataset, revision, state } = run;
  return [
    `Run ${run_id} of ${dataset}, revision ${revision}: ${state.replaceAll("_", " ")}`,
    ...(note === undefined ? [] : [inTerminal(note)]),
    ...(estimate && state === "planned" ? [estimateLine(estimate)] : []),
    ...(sample ? resultLines(sample) : []),
    ...changeLines(differences),
    ...(approval ? approvalLines(approval, run) : []),
    nextLine(sample ? lookedAt(run, sample) : run.next),
  ];
}

function approvalLines({ state, approval_url: url, who_can, reason }: ApprovalBrief, run: RunBrief): string[] {
  if (state === "approved") return run.state === "sealed" ? [] : ["Approved."];
  if (state === "declined") return [`Declined: ${reason ?? "no reason was given"}`];
  const decider = who_can === "owners" ? "An owner" : "A member";
  return state === "asked" && url !== undefined && !run.next.includes(url)
    ? [`${decider} decides on its result at ${url}.`]
    : [];
}

/** `Next: …`, in the words of a terminal. */
export const nextLine = (next: string): string => `Next: ${inTerminal(next)}`;

/** A sample's rows are printed by a separate command, which names a table. */
function lookedAt({ run_id, next, state, asks }: RunBrief, { tables: [first] }: RunResult): string {
  if (state !== "awaiting_approval" || asks || !first) return next;
  const approve = `parquetry build approve ${run_id} approves it.`;
  return `parquetry build rows ${run_id} ${first.table} prints its first rows, ${approve}`;
}

function estimateLine({ sources, bytes }: Estimate): string {
  const names = sources.map(({ name, host }) => (host === null ? name : `${name} (${host})`)).join(", ");
  const size = `${formatPlural(sources.length, "source")}, at most ${formatBytes(bytes.max)}`;
  return `Reads ${size}: ${names}. Nothing has been read yet.`;
}

function resultLines({ tables, checks, rejects, sampled, step_rows = [], left_out = [] }: RunResult): string[] {
  return [
    ...sampled.flatMap(({ source, remarks = [] }) => remarks.map((remark) => `Warning: ${source}: ${remark}`)),
    ...left_out.map((each) => `Left out of ${each.source}: ${leftOutCountText(each)}`),
    ...step_rows.map(
      ({ table, step, ...counted }) =>
        `${table}, step ${step + 1} (${counted.kind}): ${formatPlural(counted.from, "row")} to ` +
        `${formatCount(counted.to)}${leftText(counted)}`,
    ),
    ...tables.map(
      ({ table, rows, columns }) => `${table}: ${formatPlural(rows, "row")}, ${formatPlural(columns, "column")}`,
    ),
    ...failedCheckLines(checks),
    ...heldLines(checks),
    ...rejects.map(
      ({ table, column, cells, examples }) =>
        `Rejected: ${formatPlural(cells, "cell")} of ${column} in ${table}` +
        (examples.length > 0 ? `, such as ${examples.map((text) => JSON.stringify(text)).join(", ")}` : ""),
    ),
  ];
}

function leftText(step: CountedStep): string {
  const words = leftOutText(step);
  return words === "" ? "" : ` (${words})`;
}

/** The checks that failed, with the rows that did. */
export const failedCheckLines = (checks: readonly RunCheck[]): string[] =>
  checks.filter(({ outcome }) => outcome === "failed").flatMap(failedLines);

const failedLines = ({ check, title, table, severity, message, examples = [] }: RunCheck): string[] => [
  `${severity === "error" ? "Check failed" : "Warning"}: ${title ?? check} on ${table}. ${message}`,
  ...examples.map((cells) => `  ${exampleText(cells)}`),
];

function heldLines(checks: readonly RunCheck[]): string[] {
  const held = checks.filter(({ outcome }) => outcome === "passed").length;
  const left = checks.filter(({ outcome }) => outcome === "not_applicable");
  return [
    ...left.map(({ check, title, table, message }) => `Check ${title ?? check} on ${table}. ${message}`),
    ...(held > 0 ? [`${formatPlural(held, "check")} ${held === 1 ? "holds" : "hold"}.`] : []),
  ];
}

/** Compared with the current release; a first release has nothing to compare. */
const changeLines = (differences: readonly TableDifference[]): string[] =>
  differences.flatMap(({ words, current_version_id }) => (current_version_id === null ? [] : [`Changes ${words}`]));

/** The reply to registering a recipe, or proposing a revision. */
export interface RecipeReply {
  revision: { number: number; state: string } | null;
  unchecked: { why: string }[];
  tables: { slug: string | null; columns: { name: string; type: string | null }[] }[];
  warnings: { pointer: string; message: string }[];
  why_person?: string;
  estimate?: Estimate;
  run?: RunBrief;
  next: string;
}

/** What a registered recipe makes, and the next step. */
export function recipeLines(dataset: string, reply: RecipeReply): string[] {
  const { revision, tables, warnings, unchecked, why_person: why, run, estimate, next } = reply;
  return [
    revision ? registeredLine(dataset, revision) : "The recipe has no faults. Nothing was stored.",
    ...tables.flatMap(({ slug, columns }) => (slug === null ? [] : [`${slug}: ${columns.map(columnText).join(", ")}`])),
    ...warnings.map(({ pointer, message }) => `Warning ${pointer}: ${message}`),
    ...unchecked.map(({ why: reason }) => `Not checked yet: ${reason}`),
    ...(why === undefined ? [] : [`A person must approve it: ${why}`]),
    ...(run ? [`Run ${run.run_id} is ${run.state.replaceAll("_", " ")}.`] : []),
    ...(run && estimate ? [estimateLine(estimate)] : []),
    nextLine(next),
  ];
}

function registeredLine(dataset: string, { number, state }: NonNullable<RecipeReply["revision"]>): string {
  const approved = state === "approved" ? ", and approved, since an equivalent revision was approved" : "";
  return `Revision ${number} of ${dataset} is registered${approved}.`;
}

const columnText = ({ name, type }: { name: string; type: string | null }): string =>
  type === null ? name : `${name} ${type}`;

/** The reply to making a run's result current. */
export interface PromotionReply {
  receipts: {
    table: string;
    version_id: string;
    previous_version_id: string | null;
    visibility: string;
    current_path: string | null;
  }[];
  differences: TableDifference[];
  next: string;
}

/** What is now current, and the next step. */
export const promotionLines = ({ receipts, differences, next }: PromotionReply): string[] => [
  ...receipts.map(({ table, visibility, version_id, previous_version_id: before, current_path: path }) => {
    const instead = before === null || before === version_id ? "" : `, before ${before}`;
    return `${table} is current, ${visibility}: version ${version_id}${instead}${path === null ? "" : `, at ${path}`}`;
  }),
  ...(receipts.length > 0 ? changeLines(differences) : []),
  nextLine(next),
];

/** Why a table is in its state, and what to do. */
export interface DiagnosisReply {
  verdict: { state: string; in_words: string };
  findings: { severity: string; message: string; fix: string }[];
  next: string;
}

/** A diagnosis: the verdict, then each finding with what to do. */
export const diagnosisLines = ({ verdict, findings, next }: DiagnosisReply): string[] => [
  `${verdict.state}: ${verdict.in_words}`,
  ...findings.map(({ severity, message, fix }) => `${severity}: ${message} ${inTerminal(fix)}`),
  nextLine(next),
];
