"use client";

import { useEffect, useRef, useState } from "react";
import { callApi } from "@/components/form/call-api";
import { Button } from "@/components/ui/button";
import { EmailAddress } from "@/components/ui/email-address";
import { NarrowPage } from "./narrow-page";

/**
 * Shown after sign-up if addresses are confirmed by email: the same whether or not the address had an account.
 */
export function CheckEmail({ email }: { email: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [said, setSaid] = useState("");
  useEffect(() => heading.current?.focus(), []);
  const again = async () => {
    setSaid("");
    const { problem } = await callApi("POST", "/api/account/verification-mail", { email });
    setSaid(problem?.message ?? "Sent again.");
  };
  return (
    <NarrowPage title="Check your email" heading={heading}>
      <div className="space-y-4 text-sm">
        <p className="text-muted">
          We sent an email to{" "}
          <strong className="break-words font-medium text-ink">
            <EmailAddress text={email} />
          </strong>
          . Use the link in it within a day to confirm your address. Then you can sign in.
        </p>
        <p className="text-muted">No email? Check your spam folder, or send it again.</p>
        <Button onClick={again}>Send again</Button>
        <p role="status" className="text-muted">
          {said}
        </p>
      </div>
    </NarrowPage>
  );
}
