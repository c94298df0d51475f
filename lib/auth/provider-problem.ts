/** Codes of the sign-in page for what can go wrong with another service, where next-auth has one code for all. */
export type ProviderProblem = "ProviderDown" | "ProviderRefused" | "ProviderRestart" | "ProviderProof";

/** What other errors mean, by words in their messages; the first that fits. */
const MEANINGS: readonly [message: RegExp, problem: ProviderProblem][] = [
  [/access_denied|interaction_required|login_required|consent_required/, "ProviderRefused"],
  // another browser's state, or one whose cookie was used; a code that was used
  [/cookie was (?:missing|created)|could not be parsed|state mismatch|state missing|invalid_grant/, "ProviderRestart"],
  [/ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|timed out|socket hang up|certificate/, "ProviderDown"],
  [/expected 200 OK, got: 5\d\d|server_error|temporarily_unavailable/, "ProviderDown"],
];

/** What the message of an error of a sign-in with another service means to the person, who cannot be told more. */
export const providerProblem = (message: string): ProviderProblem =>
  MEANINGS.find(([words]) => words.test(message))?.[1] ?? "ProviderProof";
