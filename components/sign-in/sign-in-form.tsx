"use client";

import Link from "next/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Problem } from "@/components/form/call-api";
import { FormContext } from "@/components/form/form-state";
import { PasswordField } from "@/components/form/password-field";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { signInWithPassword } from "./sign-in-call";

interface Props {
  callbackUrl: string;
  /** Whether a link can be emailed instead. */
  byLink: boolean;
}

/**
 * Email address and password. Without JavaScript, the browser submits the form and is redirected back here if sign-in
 * fails.
 */
export function SignInForm({ callbackUrl, byLink }: Props) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(forgetHint, []);
  useEffect(() => {
    if (problem) passwordIn(form.current)?.select();
  }, [problem]);
  const submit = async (event: FormEvent) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter?.hasAttribute("formaction")) return; // the other button: the browser submits the form
    event.preventDefault();
    if (pending || !form.current) return;
    setPending(true);
    setProblem(undefined);
    const fields = new FormData(form.current);
    setProblem(
      await signInWithPassword(String(fields.get("email")), String(fields.get("password")), callbackUrl, byLink),
    );
    setPending(false);
  };
  return (
    <FormContext value={{ pending, faults: {}, typed: {} }}>
      <form ref={form} method="post" action="/api/auth/callback/credentials" onSubmit={submit} className="space-y-5">
        {problem && <Notice tone="danger">{problem.message}</Notice>}
        <input type="hidden" name="callbackUrl" value={callbackUrl} />
        <TextField name="email" type="email" label="Email" autoComplete="username" required maxLength={254} />
        <div>
          <PasswordField name="password" label="Password" autoComplete="current-password" />
          <p className="mt-2 text-sm">
            <Link href="/forgot-password" className="link">
              Forgot your password?
            </Link>
          </p>
        </div>
        <div className="grid gap-3">
          <SubmitButton>Sign in</SubmitButton>
          {byLink && (
            <Button type="submit" formAction="/api/auth/signin/email" formNoValidate>
              Email me a link instead
            </Button>
          )}
        </div>
      </form>
    </FormContext>
  );
}

const passwordIn = (form: HTMLFormElement | null): HTMLInputElement | null =>
  form?.querySelector("[name=password]") ?? null;

/**
 * This page is only shown to visitors who are not signed in: a cookie that says otherwise is left over from a session
 * that ended elsewhere.
 */
function forgetHint(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = "parquetry-signed-in=; Path=/; Max-Age=0; SameSite=Lax";
  delete document.documentElement.dataset.signedIn;
}
