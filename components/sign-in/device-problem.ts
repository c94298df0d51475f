import { waitText } from "@/components/form/wait-text";

const WORDS: Readonly<Record<string, string>> = {
  gone: "No request has this code. It may be mistyped, already used or expired. Codes are valid for 15 minutes.",
  again: "Your answer came from a different page. Check the request again and answer here.",
  unavailable: "The service is temporarily unavailable. Try again in a minute.",
};

/** The message of the device page for a code in its URL, which anyone could have written; undefined without one. */
export function deviceProblem(error: string | undefined, wait: string | undefined): string | undefined {
  if (error === undefined) return undefined;
  if (error === "throttled")
    return (
      "Too many attempts. Try again in " +
      `${waitText(Math.min(86_400, Math.max(1, Number.parseInt(wait ?? "", 10) || 60)))}.`
    );
  return Object.hasOwn(WORDS, error) ? WORDS[error] : "Something went wrong. Try again.";
}
