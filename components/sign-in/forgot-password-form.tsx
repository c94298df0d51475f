"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Notice } from "@/components/ui/notice";

/** Requests a link to set a new password. The reply is the same for every address. */
export function ForgotPasswordForm() {
  const [asked, setAsked] = useState(false);
  const onDone = () => {
    setAsked(true);
    return false;
  };
  return (
    <>
      {asked && (
        <div className="mb-6">
          <Notice tone="ok" title="Check your email">
            <p>
              If there is an account with this address, we sent it a link. The link works once and expires in an hour.
            </p>
          </Notice>
        </div>
      )}
      <ApiForm method="POST" path="/api/account/password-reset" onDone={onDone} className="space-y-5">
        <TextField name="email" type="email" label="Email" autoComplete="username" required maxLength={254} />
        <div className="grid">
          <SubmitButton>{asked ? "Send another link" : "Email me a link"}</SubmitButton>
        </div>
      </ApiForm>
    </>
  );
}
