"use client";

import { startAuthentication } from "@simplewebauthn/browser";
import { useState } from "react";
import { callApi } from "@/components/form/call-api";
import { FormContext } from "@/components/form/form-state";
import { SubmitButton } from "@/components/form/submit-button";
import { Notice } from "@/components/ui/notice";

type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];

const PATH = "/api/account/second-step";

/** The button that asks the browser for a passkey and then continues to `callbackUrl`. */
export function PasskeyStep({ callbackUrl }: { callbackUrl: string }) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const confirm = async (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (pending) return;
    setPending(true);
    setProblem(undefined);
    const rejection = await confirmWithPasskey();
    if (rejection === undefined) return window.location.assign(callbackUrl);
    setProblem(rejection);
    setPending(false);
  };
  return (
    <FormContext value={{ pending, faults: {}, typed: {} }}>
      <form method="post" onSubmit={confirm} className="needs-script space-y-4">
        {problem && <Notice tone="danger">{problem}</Notice>}
        <div className="grid">
          <SubmitButton>Use a passkey</SubmitButton>
        </div>
      </form>
    </FormContext>
  );
}

/** Undefined once the session is confirmed; otherwise why it is not. */
async function confirmWithPasskey(): Promise<string | undefined> {
  const begun = await callApi<{ options: Options }>("POST", `${PATH}/challenge`);
  if (begun.problem) return begun.problem.message;
  try {
    const response = await startAuthentication({ optionsJSON: begun.data.options });
    return (await callApi("POST", PATH, { response })).problem?.message;
  } catch {
    return "No passkey was used. Try again, or use a recovery code.";
  }
}
