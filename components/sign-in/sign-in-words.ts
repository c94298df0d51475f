import { waitText } from "@/components/form/wait-text";

const PROVIDER_FAILED = "Sign-in with that service failed. Try again or use another method.";

/** What the sign-in page says to the codes that it can be sent back with. */
const WORDS: Readonly<Record<string, string>> = {
  CredentialsSignin: "Wrong email address or password.",
  AccessDenied: "Sign-in denied: the account is disabled, or the other service has no verified email address for you.",
  OAuthAccountNotLinked:
    "An account with this email address already exists. Sign in with your usual method, then add this one in its " +
    "settings.",
  OAuthSignin: PROVIDER_FAILED,
  OAuthCallback: PROVIDER_FAILED,
  OAuthCreateAccount: PROVIDER_FAILED,
  EmailCreateAccount: PROVIDER_FAILED,
  Callback: PROVIDER_FAILED,
  EmailSignin: "The email could not be sent. Check the address and try again.",
  Verification: "This link has been used or has expired. Request a new one.",
  SessionRequired: "Sign in first.",
  SessionEnded: "This browser was signed out. Sign in to continue where you left off.",
  SessionOver: "Your session has expired after 30 days. Sign in to continue where you left off.",
  Unavailable: "Sign-in is temporarily unavailable. Try again in a minute.",
};

const OR_UNCONFIRMED = "If the address is waiting for confirmation, we sent the email with the link again.";

/**
 * The sentence for a code of an address, which anybody may have written; undefined when there is none. `byMail` where
 * addresses are confirmed by mail:
 * a wrong password and an address that waits are told apart by nobody but the owner of the mailbox.
 */
export function signInWords(
  code: string | undefined,
  { wait, byMail = false }: { wait?: string | undefined; byMail?: boolean } = {},
): string | undefined {
  if (code === undefined) return undefined;
  if (code === "CredentialsSignin" && byMail) return `${WORDS[code]} ${OR_UNCONFIRMED}`;
  if (code === "Throttled")
    return (
      "Too many attempts. Try again in " +
      `${waitText(Math.min(86_400, Math.max(1, Number.parseInt(wait ?? "", 10) || 60)))}.`
    );
  return Object.hasOwn(WORDS, code) ? WORDS[code] : "Sign-in failed. Try again.";
}

/** What has just been done, for a page that somebody comes back to sign in from. */
export const SIGN_IN_AFTER: Readonly<Record<string, string>> = {
  password: "Your new password is set and every browser was signed out. Sign in with the new password.",
  verified: "Your email address is confirmed. Sign in to continue.",
  everywhere: "You are signed out everywhere.",
};
