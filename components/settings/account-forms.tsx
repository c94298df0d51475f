"use client";

import type { ComponentProps } from "react";
import { ApiForm } from "@/components/form/api-form";
import { PasswordField } from "@/components/form/password-field";
import { type PlainCall, useFormReply } from "@/components/form/plain-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";

type NameProps = PlainCall & Omit<ComponentProps<typeof TextField>, "name"> & { submit: string };

/** The name of a person or a workspace. */
export const NameForm = ({ method, path, body, done, submit, ...field }: NameProps) => (
  <ApiForm
    {...{ method, path, body, done }}
    keeps
    className="grid max-w-lg gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto]"
  >
    <TextField autoComplete="off" maxLength={100} {...field} name="name" />
    <div className="sm:pt-7">
      <SubmitButton look="plain">{submit}</SubmitButton>
    </div>
  </ApiForm>
);

const CHANGE = { method: "POST", path: "/api/account/address", body: "address" } as const;
const CONFIRM = { method: "POST", path: "/api/account/address/confirmation", body: "address_code" } as const;

/**
 * Changes the email address after asking for the password and, where email is set up, for a code sent to the new
 * address.
 */
export function AddressForm({ canMail }: { canMail: boolean }) {
  const replies = [useFormReply(CHANGE), useFormReply(CONFIRM)];
  return (
    <details className="mt-4 max-w-md text-sm" open={replies.some((reply) => reply !== undefined)}>
      <summary className="inline-block cursor-pointer rounded-sm py-1 text-accent">Change email address</summary>
      <ApiForm
        {...CHANGE}
        done={canMail ? "A code is on its way to the new address." : "Email address changed."}
        className="mt-3 space-y-5"
      >
        <TextField name="email" type="email" label="New email address" autoComplete="email" required />
        <PasswordField name="password" label="Your password" autoComplete="current-password" />
        <SubmitButton look="plain">{canMail ? "Send a code" : "Change address"}</SubmitButton>
      </ApiForm>
      {canMail && (
        <ApiForm {...CONFIRM} done="Email address changed." className="mt-6 space-y-5 border-line border-t pt-5">
          <TextField
            name="code"
            label="Code from the email"
            hint="Sent to the new address, valid for an hour."
            autoComplete="one-time-code"
            required
          />
          <SubmitButton look="plain">Confirm the new address</SubmitButton>
        </ApiForm>
      )}
    </details>
  );
}

/** Changes the password after asking for the current one. */
export const PasswordForm = ({ email }: { email: string }) => (
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

interface DeleteProps extends PlainCall {
  /** The field for what has to be typed. */
  field: Pick<ComponentProps<typeof TextField>, "name" | "label" | "type">;
  typed: string;
  asksPassword?: boolean;
  submit: string;
}

/** Deletes an account or a workspace after its address or name, and the password if there is one, have been typed. */
export const DeleteForm = ({ field, typed, asksPassword = false, submit, ...call }: DeleteProps) => (
  <ApiForm {...call} keeps className="max-w-md space-y-5">
    <TextField
      {...field}
      hint={
        <>
          Type <b className="font-medium text-ink">{typed}</b> to confirm.
        </>
      }
      autoComplete="off"
      required
    />
    {asksPassword && <PasswordField name="password" label="Your password" autoComplete="current-password" />}
    <SubmitButton look="danger">{submit}</SubmitButton>
  </ApiForm>
);
