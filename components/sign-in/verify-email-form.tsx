"use client";

import Link from "next/link";
import { ApiForm } from "@/components/form/api-form";
import { PasswordField } from "@/components/form/password-field";
import { SubmitButton } from "@/components/form/submit-button";
import { Notice } from "@/components/ui/notice";
import { useLinkParameters } from "./link-token";

/**
 * Confirms an address with the token of an emailed link: only when the button is pressed, because programs that scan
 * emails open links too.
 */
export function VerifyEmailForm({ onward }: { onward: string }) {
  const token = useLinkParameters()?.get("token");
  if (token === null) return <Notice tone="danger">This link is incomplete. Open it again from your email.</Notice>;
  return (
    <ApiForm
      method="POST"
      path="/api/account/email-verification"
      toBody={(form) => ({ token, password: String(form.get("password")) })}
      onDone={() => {
        window.location.assign(onward);
        return false;
      }}
      className="space-y-5"
    >
      <PasswordField
        name="password"
        label="Password"
        hint="The password you chose at sign-up."
        autoComplete="current-password"
      />
      <p className="text-sm text-muted">
        No password, or someone else signed up with your address?{" "}
        <Link href="/forgot-password" className="link">
          Set a new password
        </Link>{" "}
        instead. This also confirms your address.
      </p>
      <div className="grid">
        <SubmitButton>Confirm email address</SubmitButton>
      </div>
    </ApiForm>
  );
}
