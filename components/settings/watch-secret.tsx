"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { useFormReply } from "@/components/form/plain-form";
import { ShownOnce } from "@/components/form/shown-once";
import { SubmitButton } from "@/components/form/submit-button";
import { Notice } from "@/components/ui/notice";

/** A webhook's signing secret, right after it was created. */
export const SigningSecret = ({ secret }: { secret: string }) => (
  <Notice tone="ok" title="Signing secret">
    <p className="mb-2">Copy it now. It won’t be shown again. Your receiver needs it to verify each message.</p>
    <ShownOnce text={secret} label="secret" />
  </Notice>
);

/** Replaces the signing secret of the webhook at this path of the account API, and shows the new one. */
export function ReplaceSigningSecret({ path }: { path: string }) {
  const call = { method: "POST", path: `${path}/secret`, body: "none" } as const;
  const sent = useFormReply(call);
  const [secret, setSecret] = useState(sent?.data?.secret as string | undefined);
  if (secret) return <SigningSecret secret={secret} />;
  return (
    <details className="text-sm open:basis-full" open={sent?.problem !== undefined}>
      <summary className="link w-fit cursor-pointer">New secret</summary>
      <ApiForm<{ secret: string }>
        {...call}
        onDone={(replaced) => {
          setSecret(replaced.secret);
          return false; // the list would be rendered again, without the secret
        }}
        className="mt-2 flex flex-wrap items-center gap-3 text-muted"
      >
        <span>Messages are signed with the new secret immediately.</span>
        <SubmitButton look="plain" small>
          Replace secret
        </SubmitButton>
      </ApiForm>
    </details>
  );
}
