import { waitText } from "@/components/form/wait-text";

const PROVIDER_FAILED = "Sign-in with SERVICE failed. Try again or use another method.";

/** The sign-in page's messages, by the error code in its URL. */
const WORDS: Readonly<Record<string, string>> = {
  CredentialsSignin: "Wrong email address or password.",
  AccessDenied: "Sign-in denied: the account is disabled, or SERVICE has not verified your email address.",
  OAuthAccountNotLinked:
    "An account with this email address already exists. Sign in with your usual method, then add this one in its " +
    "settings.",
  OAuthSignin: PROVIDER_FAILED,
  OAuthCallback: PROVIDER_FAILED,
  OAuthCreateAccount: PROVIDER_FAILED,
  EmailCreateAccount: PROVIDER_FAILED,
  Callback: PROVIDER_FAILED,
  ProviderDown: "SERVICE cannot be reached at the moment. Try again later or use another method.",
  ProviderRefused: "SERVICE did not sign you in. Try again or use another method.",
  ProviderRestart: "This sign-in was already used, took too long or began in another browser. Start again.",
  ProviderProof:
    "SERVICE’s answer could not be verified, so you were not signed in. Try again; if it happens again, tell the " +
    "administrator of this service.",
  EmailSignin: "The email could not be sent. Check the address and try again.",
  Verification: "This link has been used or has expired. Request a new one.",
  SessionRequired: "Sign in first.",
  SessionEnded: "This browser was signed out. Sign in to continue where you left off.",
  SessionOver: "Your session expired after 30 days. Sign in to continue where you left off.",
  Unavailable: "Sign-in is temporarily unavailable. Try again in a minute.",
};

const OR_UNCONFIRMED = "If your address isn’t confirmed yet, we’ve sent the confirmation email again.";

/**
 * The message for an error code in the URL, which anyone could have written; undefined if there is none. `isEmailed`:
 * addresses are confirmed by email, so only the owner of the mailbox can distinguish a wrong password from an
 * unconfirmed address.
 */
export function signInProblem(
  code: string | undefined,
  { wait, isEmailed = false, service = "the other service" }: SignInFacts = {},
): string | undefined {
  if (code === undefined) return undefined;
  if (code === "CredentialsSignin" && isEmailed) return `${WORDS[code]} ${OR_UNCONFIRMED}`;
  if (code === "Throttled")
    return (
      "Too many attempts. Try again in " +
      `${waitText(Math.min(86_400, Math.max(1, Number.parseInt(wait ?? "", 10) || 60)))}.`
    );
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  return words?.replace(/^SERVICE/, capitalized(service)).replace("SERVICE", service) ?? "Sign-in failed. Try again.";
}

interface SignInFacts {
  wait?: string | undefined;
  isEmailed?: boolean;
  /** The name of the identity provider that was used. */
  service?: string | undefined;
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What has just been done, for visitors who return from another page to sign in. */
export const SIGN_IN_AFTER: Readonly<Record<string, string>> = {
  password: "Your new password is set and every browser was signed out. Sign in with the new password.",
  verified: "Your email address is confirmed. Sign in to continue.",
  everywhere: "You are signed out everywhere.",
  deleted: "Your account is deleted.",
};
