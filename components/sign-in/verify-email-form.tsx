"use client";

import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { Notice } from "@/components/ui/notice";
import { useLinkParameters } from "./link-token";

/**
 * Confirms an address by the token of a mailed link: only when somebody presses the button, since programs look into
 * mails too.
 */
export function VerifyEmailForm({ onward }: { onward: string }) {
  const token = useLinkParameters()?.get("token");
  if (token === null) return <Notice tone="danger">This link is incomplete. Open it from the mail once more.</Notice>;
  return (
    <ApiForm
      method="POST"
      path="/api/account/email-verification"
      toBody={() => ({ token })}
      onDone={() => {
        window.location.assign(onward);
        return false;
      }}
      className="space-y-5"
    >
      <div className="grid">
        <SubmitButton>Confirm my address</SubmitButton>
      </div>
    </ApiForm>
  );
}
