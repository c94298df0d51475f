import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { visitorContext } from "@/app/context";
import { type SearchParams, singleValues } from "@/app/search-params";
import { goingOn, withCallback } from "@/app/visitor";
import { ProviderForms } from "@/components/sign-in/provider-forms";
import { SignUpForm } from "@/components/sign-in/sign-up-form";
import { identityProviders } from "@/lib/auth/identity-providers";
import { env } from "@/lib/kernel/env";

export const metadata: Metadata = { title: "Sign up", robots: { index: false } };

export default async function SignUpPage({ searchParams }: { searchParams: SearchParams }) {
  const onward = goingOn((await singleValues(searchParams)).callbackUrl);
  if (await visitorContext()) redirect(onward);
  const signInUrl = withCallback("/sign-in", onward);
  if (env().SIGN_IN_PROVIDERS_ONLY) redirect(signInUrl);
  const terms = env().PARQUETRY_TERMS_URL;
  return (
    <SignUpForm callbackUrl={onward} signInUrl={signInUrl}>
      <ProviderForms providers={identityProviders().filter(({ id }) => id !== "email")} callbackUrl={onward} />
      {terms && (
        <p className="mt-6 text-muted text-sm">
          By signing up you agree to the{" "}
          <a className="link" href={terms} rel="terms-of-service">
            terms of use
          </a>{" "}
          of this service.
        </p>
      )}
      <p className="mt-8 border-line border-t pt-5 text-muted text-sm">
        Already have an account?{" "}
        <Link href={signInUrl} className="link">
          Sign in
        </Link>
      </p>
    </SignUpForm>
  );
}
