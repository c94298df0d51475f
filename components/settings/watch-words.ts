import { waitText } from "@/components/form/wait-text";
import type { Tone } from "@/components/ui/badge";
import type { Delivery } from "@/lib/schemas/watch";

/** Messages for a form's error, by the code in the URL that it returned to. */
const PROBLEMS: Readonly<Record<string, string>> = {
  again: "The form was out of date. Try again.",
  session: "The session ended. Sign in again.",
  conflict:
    "This is not possible at the moment. A disabled watch sends nothing, emails require a confirmed address and a " +
    "service with email set up, and a workspace can have at most 50 watches.",
  invalid_value:
    "Check that the URL is public and starts with https://, that the dataset and table exist, and that at least one " +
    "event is selected.",
  invalid_request: "Check that the URL is public and starts with https://, and select at least one event.",
  insufficient_scope: "Only its recipient or a workspace owner can change it.",
  not_found: "This watch no longer exists.",
  unavailable: "The service is temporarily unavailable. Try again in a moment.",
};

/** The message for an error code of the watch forms; undefined without an error. */
export function watchProblem(error: string | undefined, wait: string | undefined): string | undefined {
  if (error === undefined) return undefined;
  if (error === "throttled") return `Too many attempts. Try again in ${waitText(Number(wait) || 60)}.`;
  return Object.hasOwn(PROBLEMS, error) ? PROBLEMS[error] : "Something went wrong. Reload the page.";
}

/** What a form did; undefined if the page was not opened by one. */
export const watchDone = (sent: string | undefined): string | undefined =>
  sent === "test" || sent === "again" ? "Message queued. Reload the page to see the result." : undefined;

export const DELIVERY_WORDS: Readonly<Record<Delivery["state"], { words: string; tone: Tone }>> = {
  waiting: { words: "Waiting", tone: "info" },
  sent: { words: "Delivered", tone: "ok" },
  given_up: { words: "Failed", tone: "danger" },
};
