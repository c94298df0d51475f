"use client";

import { ApiForm } from "@/components/form/api-form";
import { PasswordField } from "@/components/form/password-field";
import { SubmitButton } from "@/components/form/submit-button";
import { Notice } from "@/components/ui/notice";
import { useLinkParameters } from "./link-token";

/** Sets a new password with the token of an emailed link. */
export function ResetPasswordForm() {
  const token = useLinkParameters()?.get("token");
  if (token === null)
    return <Notice tone="danger">This link is incomplete. Open it again from your email or request a new one.</Notice>;
  return (
    <ApiForm
      method="POST"
      path="/api/account/password"
      toBody={(form) => ({ token, password: String(form.get("password")) })}
      onDone={() => {
        window.location.assign("/sign-in?after=password");
        return false;
      }}
      className="space-y-5"
    >
      <PasswordField
        name="password"
        label="New password"
        hint="At least 10 characters that are hard to guess, such as a few unrelated words."
        autoComplete="new-password"
      />
      <div className="grid">
        <SubmitButton>Set password</SubmitButton>
      </div>
    </ApiForm>
  );
}
