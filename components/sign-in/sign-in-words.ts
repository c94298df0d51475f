import { waitText } from "@/components/form/wait-text";

const PROVIDER_FAILED = "Signing in there did not work. Try again, or sign in another way.";

/** What the sign-in page says to the codes that it can be sent back with. */
const WORDS: Readonly<Record<string, string>> = {
  CredentialsSignin: "The address or the password is wrong.",
  AccessDenied: "You were not let in: the account is closed, or the other service vouches for no address of yours.",
  OAuthAccountNotLinked:
    "There is an account with this address already. Sign in the way you did before; in its settings you can " +
    "then add this way.",
  OAuthSignin: PROVIDER_FAILED,
  OAuthCallback: PROVIDER_FAILED,
  OAuthCreateAccount: PROVIDER_FAILED,
  EmailCreateAccount: PROVIDER_FAILED,
  Callback: PROVIDER_FAILED,
  EmailSignin: "The mail could not be sent. Check the address and try again.",
  Verification: "This link is used up or too old. Ask for a new one.",
  SessionRequired: "Sign in first.",
  SessionEnded: "This browser was signed out. Sign in to go on where you were.",
  SessionOver: "You have been signed in for 30 days. Sign in again to go on where you were.",
  Unavailable: "Signing in is not possible just now. Try again in a minute.",
};

const OR_UNCONFIRMED = "If the address waits to be confirmed, the mail with the link is on its way once more.";

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
  return Object.hasOwn(WORDS, code) ? WORDS[code] : "Signing in did not work. Try again.";
}

/** What has just been done, for a page that somebody comes back to sign in from. */
export const SIGN_IN_AFTER: Readonly<Record<string, string>> = {
  password: "The new password is set, and every browser was signed out. Sign in with it.",
  verified: "Your address is confirmed. Sign in to go on.",
  everywhere: "You are signed out everywhere.",
};
