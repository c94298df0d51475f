"use client";

import { ApiForm } from "@/components/form/api-form";
import { PasswordField } from "@/components/form/password-field";
import { useFormReply } from "@/components/form/plain-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";

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
