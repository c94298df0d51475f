import { waitText } from "@/components/form/wait-text";
import type { Tone } from "@/components/ui/badge";
import type { RunBrief } from "@/lib/schemas/run";

/** Messages for a form's error, by the code in the URL that it returned to. */
const PROBLEMS: Readonly<Record<string, string>> = {
  again: "The form was out of date. Review the page again, then decide.",
  session: "Your session has ended or is older than 12 hours. Enter your password or sign in again.",
  conflict: "Something has changed, or a required box was not ticked. This page shows the current state.",
  invalid_value: "The password is wrong.",
  uploads_full: "The workspace’s uploads would exceed their limit. Delete files first. Nothing was stored.",
  upload_invalid: "The file is empty or its name is invalid. Nothing was stored. Rename it or choose another file.",
  upload_broken: "The upload was incomplete. Nothing was stored. Try again.",
  no_file: "Choose a file first.",
  request_too_large: "The file is larger than the service accepts. Nothing was stored.",
  busy: "Other files are being uploaded. Try again in a moment.",
  recipe: "The recipe was not registered. Go back in your browser. Your text is still there.",
  source: "This source can’t be inspected. Correct it in the recipe, or write the reader by hand.",
  invalid_request: "A field is missing or too long.",
  insufficient_scope: "Only an owner of the workspace can do this.",
  plan_required: "Building datasets requires a paid plan.",
  daily_quota_exhausted: "The workspace has no runs left today. The quota resets at midnight UTC.",
  no_passing_release: "No run has sealed anything new that could be made current or activated.",
  version_withdrawn: "The version is withdrawn and cannot become current.",
  unavailable: "The service is temporarily unavailable. Try again in a moment.",
};

/** The message for an error code of the studio's forms; undefined without an error. */
export function studioProblem(error: string | undefined, wait: string | undefined): string | undefined {
  if (error === undefined) return undefined;
  if (error === "throttled") return `Too many attempts. Try again in ${waitText(Number(wait) || 60)}.`;
  return Object.hasOwn(PROBLEMS, error) ? PROBLEMS[error] : "Something went wrong. Reload the page.";
}

type State = RunBrief["state"];

export const RUN_WORDS: Readonly<Record<State, { words: string; tone: Tone }>> = {
  planned: { words: "Planned", tone: "neutral" },
  queued: { words: "Sample queued", tone: "info" },
  running: { words: "Sample running", tone: "info" },
  awaiting_approval: { words: "Awaits approval", tone: "warning" },
  queued_full: { words: "Full run queued", tone: "info" },
  running_full: { words: "Full run running", tone: "info" },
  sealed: { words: "Sealed", tone: "ok" },
  failed: { words: "Failed", tone: "danger" },
  cancelled: { words: "Cancelled", tone: "neutral" },
  expired: { words: "Expired", tone: "neutral" },
};

/** What the rows are that a run made under a name. */
export const MADE_WORDS = {
  sealed: "Sealed",
  sample: "Sample",
  candidate: "Not sealed",
  rejects: "Rejected cells",
} as const;

/** Whether the run continues on its own, so that its page should be refreshed. */
export const isUnderWay = (state: State): boolean => /^(?:queued|running)/.test(state);
