import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { stepContext, visitorContext } from "@/app/context";
import { type SearchParams, singleValues } from "@/app/search-params";
import { goingBack, goingOn, withCallback } from "@/app/visitor";
import { NarrowPage } from "@/components/sign-in/narrow-page";
import { ProviderForms } from "@/components/sign-in/provider-forms";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { SIGN_IN_AFTER, signInProblem } from "@/components/sign-in/sign-in-problem";
import { Notice } from "@/components/ui/notice";
import { identityProviders } from "@/lib/auth/identity-providers";
import { env } from "@/lib/kernel/env";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { callbackUrl, error, provider, wait, sent, after } = await singleValues(searchParams);
  const onward = callbackUrl === undefined ? await goingBack() : goingOn(callbackUrl);
  const explained = new URLSearchParams({ ...(error && { error }), ...(provider && { provider }) });
  if (await visitorContext()) redirect(error ? `/settings/account?${explained}` : onward);
  if (await stepContext()) redirect(`/sign-in/passkey?${new URLSearchParams({ callbackUrl: onward })}`);
  const providers = identityProviders();
  const only = env().SIGN_IN_PROVIDERS_ONLY;
  if (sent) return <LinkSent />;
  const done = after && Object.hasOwn(SIGN_IN_AFTER, after) ? SIGN_IN_AFTER[after] : undefined;
  const byLink = providers.some(({ id }) => id === "email");
  const service = providers.find(({ id }) => id === provider)?.label;
  const problem = signInProblem(error, { wait, isEmailed: byLink, service });
  return (
    <NarrowPage title="Sign in">
      <div className="mb-6 space-y-3 empty:hidden">
        {done && <Notice tone="ok">{done}</Notice>}
        {problem && <Notice tone="danger">{problem}</Notice>}
      </div>
      {!only && <SignInForm callbackUrl={onward} byLink={byLink} />}
      <ProviderForms providers={providers.filter(({ id }) => id !== "email")} callbackUrl={onward} only={only} />
      {!only && (
        <p className="mt-8 border-line border-t pt-5 text-muted text-sm">
          No account yet?{" "}
          <Link href={withCallback("/sign-up", onward)} className="link">
            Sign up
          </Link>
        </p>
      )}
    </NarrowPage>
  );
}

function LinkSent() {
  return (
    <NarrowPage
      title="Check your email"
      intro="We sent a sign-in link to your email address. It works once and expires in 15 minutes."
    >
      <p className="text-muted text-sm">
        No email? Check your spam folder, or{" "}
        <Link href="/sign-in" className="link">
          try again
        </Link>
        .
      </p>
    </NarrowPage>
  );
}
