import { waitText } from "@/components/form/wait-text";
import type { Tone } from "@/components/ui/badge";
import type { Delivery } from "@/lib/schemas/watch";

/** What a form's failure means, by the code in the address that it returned to. */
const PROBLEMS: Readonly<Record<string, string>> = {
  again: "The form was out of date. Try again.",
  session: "The session ended. Sign in again.",
  conflict:
    "It cannot be done as it is: a disabled watch sends nothing, email takes a confirmed address and a service with " +
    "email, and a workspace has at most 50 watches.",
  invalid_value:
    "Check the address (public, starting with https://), the names of dataset and table, and that at least one event " +
    "is chosen.",
  invalid_request: "Check the address (public, starting with https://), and choose at least one event.",
  insufficient_scope: "Only its person or an owner of the workspace can change it.",
  not_found: "It is no longer there.",
  unavailable: "The service is temporarily unavailable. Try again in a moment.",
};

/** A sentence for the codes of the forms of watches; undefined where nothing went wrong. */
export function watchProblem(error: string | undefined, wait: string | undefined): string | undefined {
  if (error === undefined) return undefined;
  if (error === "throttled") return `Too many attempts. Try again in ${waitText(Number(wait) || 60)}.`;
  return Object.hasOwn(PROBLEMS, error) ? PROBLEMS[error] : "That did not work. Reload the page.";
}

/** What a form did; undefined where the page was opened otherwise. */
export const watchDone = (sent: string | undefined): string | undefined =>
  sent === "test" || sent === "again" ? "It is on its way. Reload the page to see what came of it." : undefined;

export const DELIVERY_WORDS: Readonly<Record<Delivery["state"], { words: string; tone: Tone }>> = {
  waiting: { words: "Waiting", tone: "info" },
  sent: { words: "Arrived", tone: "ok" },
  given_up: { words: "Given up", tone: "danger" },
};
