"use client";

import { ApiForm } from "@/components/form/api-form";
import { PasswordField } from "@/components/form/password-field";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";

/** Deletes the account after its email address, and its password if it has one, have been entered. */
export function DeleteAccount({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const leave = () => {
    window.location.assign("/sign-in?after=deleted");
    return false;
  };
  return (
    <ApiForm
      method="POST"
      path="/api/account/delete"
      body="account"
      onDone={leave}
      leadsTo="/sign-in?after=deleted"
      keeps
      className="max-w-md space-y-5"
    >
      <TextField
        name="email"
        type="email"
        label="Email address"
        hint={
          <>
            Type <b className="font-medium text-ink">{email}</b> to confirm.
          </>
        }
        autoComplete="off"
        required
      />
      {hasPassword && <PasswordField name="password" label="Your password" autoComplete="current-password" />}
      <SubmitButton look="danger">Delete account</SubmitButton>
    </ApiForm>
  );
}
