import type { Profile } from "next-auth";
import EmailProvider from "next-auth/providers/email";
import GitHubProvider from "next-auth/providers/github";
import GoogleProvider, { type GoogleProfile } from "next-auth/providers/google";
import type { Provider } from "next-auth/providers/index";
import { defaultOf } from "@/lib/kernel/common-js";
import { baseUrl, env } from "@/lib/kernel/env";
import { canMail, sendMail } from "@/lib/mail/mailer";
import { signInMail } from "@/lib/mail/messages";
import { oidcAuthProvider } from "./oidc";

const LINK_SECONDS = 15 * 60;

export interface IdentityProvider {
  id: string;
  label: string;
}

interface SignInMethod extends IdentityProvider {
  make(): Provider;
}

/** The sign-in methods besides a password whose settings are present, those of the service's own company first. */
export const identityProviders = (): IdentityProvider[] => methods().map(({ id, label }) => ({ id, label }));

/** The same, as next-auth's providers. */
export const authProviders = (): Provider[] => methods().map(({ make }) => make());

function methods(): SignInMethod[] {
  const settings = env();
  const others: (SignInMethod & { on: boolean })[] = [
    { id: "github", label: "GitHub", make: MAKERS.github, on: Boolean(settings.GITHUB_CLIENT_ID) },
    { id: "google", label: "Google", make: MAKERS.google, on: Boolean(settings.GOOGLE_CLIENT_ID) },
    { id: "email", label: "Email link", make: MAKERS.email, on: canMail() && !settings.SIGN_IN_PROVIDERS_ONLY },
  ];
  return [
    ...settings.oidcProviders.map((each) => ({ id: each.id, label: each.label, make: () => oidcAuthProvider(each) })),
    ...others.filter(({ on }) => on),
  ];
}

const MAKERS = {
  github() {
    const { GITHUB_CLIENT_ID: clientId = "", GITHUB_CLIENT_SECRET: clientSecret = "" } = env();
    const { site, api } = github();
    return defaultOf(GitHubProvider)({
      clientId,
      clientSecret,
      issuer: `${site}/login/oauth`,
      authorization: { url: `${site}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
      token: `${site}/login/oauth/access_token`,
      userinfo: { url: `${api}/user`, request: githubProfile },
    });
  },
  google() {
    const { GOOGLE_CLIENT_ID: clientId = "", GOOGLE_CLIENT_SECRET: clientSecret = "" } = env();
    return defaultOf(GoogleProvider)({ clientId, clientSecret, profile: googleProfile });
  },
  email: () =>
    defaultOf(EmailProvider)({
      from: env().MAIL_FROM,
      maxAge: LINK_SECONDS,
      sendVerificationRequest: ({ identifier, url }) => sendMail(signInMail(identifier, linkPage(url))),
    }),
} satisfies Readonly<Record<string, () => Provider>>;

/**
 * The link opens a page with a button and carries its token after `#`, so programs that scan emails and open links do
 * not use it up.
 */
const linkPage = (url: string): string => `${baseUrl()}/sign-in/link#${new URL(url).searchParams}`;

/** github.com, or the administrator's own GitHub Enterprise Server. */
function github(): { site: string; api: string } {
  const { GITHUB_ENTERPRISE_URL: site } = env();
  return site === undefined
    ? { site: "https://github.com", api: "https://api.github.com" }
    : { site, api: `${site}/api/v3` };
}

interface GithubEmail {
  email: string;
  primary: boolean;
  verified: boolean;
}

/**
 * GitHub's profile, with the primary address only if GitHub has verified it. Otherwise anybody could claim another
 * person's address.
 */
// biome-ignore lint/suspicious/noExplicitAny: next-auth does not name the type of its own argument.
async function githubProfile({ client, tokens }: { client: any; tokens: { access_token?: string } }): Promise<Profile> {
  const profile = (await client.userinfo(tokens.access_token)) as Profile;
  const reply = await fetch(`${github().api}/user/emails`, {
    headers: { authorization: `token ${tokens.access_token}` },
  });
  const emails = reply.ok ? ((await reply.json()) as GithubEmail[]) : [];
  const proved = emails.find(({ primary, verified }) => primary && verified)?.email;
  return { ...profile, email: proved ?? "" };
}

const googleProfile = ({ sub, name, email, email_verified, picture }: GoogleProfile) => ({
  id: sub,
  name,
  email: email_verified ? email : "",
  image: picture,
});
