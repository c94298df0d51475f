"use client";

import { ApiForm } from "@/components/form/api-form";
import { PasswordField } from "@/components/form/password-field";
import { SubmitButton } from "@/components/form/submit-button";

/** Changes the password after asking for the current one. */
export function PasswordForm({ email }: { email: string }) {
  return (
    <ApiForm
      method="POST"
      path="/api/account/change-password"
      body="password"
      done="Password changed. Every other browser was signed out."
      className="max-w-md space-y-5"
    >
      {/* For password managers, which must know whose password this is. */}
      <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />
      <PasswordField name="current_password" label="Current password" autoComplete="current-password" />
      <PasswordField
        name="password"
        label="New password"
        hint="At least 10 characters that are hard to guess, such as a few unrelated words."
        autoComplete="new-password"
      />
      <SubmitButton look="plain">Change password</SubmitButton>
    </ApiForm>
  );
}
