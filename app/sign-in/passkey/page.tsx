import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { stepContext } from "@/app/context";
import { type SearchParams, singleValues } from "@/app/search-params";
import { goingOn, withCallback } from "@/app/visitor";
import { NeedsScript } from "@/components/form/needs-script";
import { NarrowPage } from "@/components/sign-in/narrow-page";
import { PasskeyStep } from "@/components/sign-in/passkey-step";
import { RecoveryCodeForm } from "@/components/sign-in/recovery-code-form";
import { signInProblem } from "@/components/sign-in/sign-in-problem";
import { Button } from "@/components/ui/button";
import { personOf } from "@/lib/access/authorize";
import { formToken } from "@/lib/http/form-token";
import { SECOND_STEP_FORM_ABOUT } from "@/lib/http/page-forms";

export const metadata: Metadata = { title: "Confirm with a passkey", robots: { index: false } };

/** The second step of a sign-in, and where people confirm again who they are before they change their passkeys. */
export default async function PasskeyPage({ searchParams }: { searchParams: SearchParams }) {
  const { callbackUrl, error, wait } = await singleValues(searchParams);
  const onward = goingOn(callbackUrl);
  const ctx = await stepContext();
  if (!ctx) redirect(withCallback("/sign-in", onward));
  const { id, email, stepDue } = personOf(ctx);
  const problem = problemOf(error, wait);
  return (
    <NarrowPage
      title="Confirm with a passkey"
      intro={stepDue ? `One more step to sign in as ${email}.` : `You are signed in as ${email}.`}
    >
      <NeedsScript what="A passkey" />
      <PasskeyStep callbackUrl={onward} />
      <details className="mt-6 text-sm" open={problem !== undefined}>
        <summary className="inline-block cursor-pointer rounded-sm py-1 text-accent">
          No passkey at hand? Use a recovery code
        </summary>
        <div className="mt-4">
          <RecoveryCodeForm callbackUrl={onward} token={formToken(id, SECOND_STEP_FORM_ABOUT)} problem={problem} />
        </div>
      </details>
      {stepDue && (
        <form method="post" action="/api/auth/signout" className="mt-8 border-line border-t pt-5 text-muted text-sm">
          <input type="hidden" name="callbackUrl" value="/sign-in" />
          Not you, or lost both?{" "}
          <Button type="submit" small>
            Sign out
          </Button>
        </form>
      )}
    </NarrowPage>
  );
}

function problemOf(error: string | undefined, wait: string | undefined): string | undefined {
  if (error === "code") return "This code is wrong or was used before. Enter another of your recovery codes.";
  return signInProblem(error === "throttled" ? "Throttled" : error === "unavailable" ? "Unavailable" : error, { wait });
}
