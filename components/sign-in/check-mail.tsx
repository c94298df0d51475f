"use client";

import { useEffect, useRef, useState } from "react";
import { callApi } from "@/components/form/call-api";

/** After signing up where addresses are confirmed by mail. It says the same whether or not the address had an account. */
export function CheckMail({ email }: { email: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [said, setSaid] = useState("");
  useEffect(() => heading.current?.focus(), []);
  const again = async () => {
    setSaid("");
    const { problem } = await callApi("POST", "/api/account/verification-mail", { email });
    setSaid(problem?.message ?? "Sent once more.");
  };
  return (
    <div className="space-y-4 text-sm">
      <h2 ref={heading} tabIndex={-1} className="text-lg">
        Check your mail
      </h2>
      <p className="text-muted">
        A mail is on its way to <strong className="break-words font-medium text-ink">{email}</strong>. Confirm your address with the link in it, within a day;
        then you can sign in.
      </p>
      <p className="text-muted">Nothing there? Look among the junk, or have it sent again.</p>
      <button type="button" onClick={again} className="button">
        Send again
      </button>
      <p role="status" className="text-muted">
        {said}
      </p>
    </div>
  );
}
