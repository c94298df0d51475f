"use client";

import { startRegistration } from "@simplewebauthn/browser";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { callApi } from "@/components/form/call-api";
import { FormContext } from "@/components/form/form-state";
import { NeedsScript } from "@/components/form/needs-script";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { announce } from "@/components/ui/toast";

type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];

interface Made {
  recovery_codes: string[];
}

type Outcome = { codes: string[]; problem?: undefined } | { codes?: undefined; problem: string };

const PATH = "/api/account/passkeys";

/** What a form does that ends with recovery codes or a problem. */
function useCodes(work: (fields: FormData) => Promise<Outcome>, done: string) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending) return;
    const form = event.currentTarget;
    setPending(true);
    setOutcome(undefined);
    const result = await work(new FormData(form));
    setOutcome(result);
    setPending(false);
    if (result.problem !== undefined) return;
    form.reset();
    announce(done);
    router.refresh();
  };
  return { pending, outcome, submit, putAway: () => setOutcome(undefined) };
}

/** Adds a passkey under a name. With the first one, the recovery codes are shown until they are put away. */
export function AddPasskey() {
  const { pending, outcome, submit, putAway } = useCodes(addPasskey, "Passkey added.");
  return (
    <FormContext value={{ pending, faults: {}, typed: {} }}>
      <NeedsScript what="Adding a passkey" />
      {outcome?.problem && <Notice tone="danger">{outcome.problem}</Notice>}
      {outcome?.codes && outcome.codes.length > 0 && <CodesShown codes={outcome.codes} onPutAway={putAway} />}
      <form method="post" onSubmit={submit} className="needs-script">
        <div className="grid max-w-lg gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto]">
          <TextField
            name="name"
            label="Name of the new passkey"
            placeholder="where it is, such as “phone”"
            maxLength={100}
            required
            autoComplete="off"
          />
          <div className="sm:pt-7">
            <SubmitButton look="plain">Add passkey</SubmitButton>
          </div>
        </div>
      </form>
    </FormContext>
  );
}

async function addPasskey(fields: FormData): Promise<Outcome> {
  const name = String(fields.get("name")).trim();
  if (name === "") return { problem: "Name the passkey, so that you recognise it later." };
  const begun = await callApi<{ options: Options }>("POST", `${PATH}/challenge`);
  if (begun.problem) return { problem: begun.problem.message };
  try {
    const response = await startRegistration({ optionsJSON: begun.data.options });
    const { data, problem } = await callApi<Made>("POST", PATH, { name, response });
    return problem ? { problem: problem.message } : { codes: data.recovery_codes };
  } catch (error) {
    const isKnown = error instanceof Error && error.name === "InvalidStateError";
    return { problem: isKnown ? "This device already has one of your passkeys." : "No passkey was made. Try again." };
  }
}

/** Replaces the recovery codes and shows the new ones until they are put away. */
export function ReplaceCodes() {
  const { pending, outcome, submit, putAway } = useCodes(replaceCodes, "The earlier recovery codes no longer work.");
  return (
    <FormContext value={{ pending, faults: {}, typed: {} }}>
      {outcome?.problem && <Notice tone="danger">{outcome.problem}</Notice>}
      {outcome?.codes && <CodesShown codes={outcome.codes} onPutAway={putAway} />}
      <form method="post" onSubmit={submit} className="needs-script">
        <SubmitButton look="plain" small>
          Replace recovery codes
        </SubmitButton>
      </form>
    </FormContext>
  );
}

async function replaceCodes(): Promise<Outcome> {
  const { data, problem } = await callApi<Made>("POST", "/api/account/recovery-codes");
  return problem ? { problem: problem.message } : { codes: data.recovery_codes };
}

function CodesShown({ codes, onPutAway }: { codes: readonly string[]; onPutAway: () => void }) {
  return (
    <div role="status" className="max-w-lg rounded-lg border border-line bg-surface p-4">
      <p className="font-medium text-sm">Save your recovery codes now</p>
      <p className="mt-1 text-muted text-sm">
        They are shown only once. If you lose your passkeys, each of them confirms one sign-in.
      </p>
      <ul aria-label="Recovery codes" className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyButton text={codes.join("\n")} label="recovery codes" look="button button-small">
          Copy
        </CopyButton>
        <Button small onClick={onPutAway}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}
