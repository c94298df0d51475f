"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { DialogButton } from "@/components/form/dialog-button";
import { useFormReply } from "@/components/form/plain-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Notice } from "@/components/ui/notice";
import type { Secret, SecretTrial } from "@/lib/schemas/secret";

interface Props {
  secret: Pick<Secret, "name" | "hosts">;
  /** Path of the workspace in the account API. */
  path: string;
}

const callOf = ({ secret: { name }, path }: Props) =>
  ({ method: "POST", path: `${path}/secrets/${encodeURIComponent(name)}/test`, body: "secret_test" }) as const;

/** A button that tries a credential at one of its hosts and shows the result. */
export const TestSecret = (props: Props) => (
  <DialogButton
    label="Test"
    describes={props.secret.name}
    title={`Test “${props.secret.name}”`}
    small
    call={callOf(props)}
  >
    {() => <Trial {...props} />}
  </DialogButton>
);

function Trial(props: Props) {
  const { hosts } = props.secret;
  const call = callOf(props);
  const sent = useFormReply(call);
  const [trial, setTrial] = useState((sent?.data ?? undefined) as SecretTrial | undefined);
  const told = (found: SecretTrial) => {
    setTrial(found);
    return false;
  };
  return (
    <>
      <p className="mt-2 text-muted text-sm">
        Sends one request with the credential, without reading data. For a clear result, use a URL that requires the
        credential.
      </p>
      <ApiForm<SecretTrial> {...call} onDone={told} keeps className="mt-4 space-y-4">
        <TextField
          name="url"
          label="URL"
          type="url"
          defaultValue={firstAddress(hosts)}
          placeholder="https://api.example.org/v1/stations"
          hint={`On ${hosts.join(", ")}.`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {trial && <Notice tone={TONES[trial.verdict]}>{trial.words}</Notice>}
        <div className="flex justify-end pt-1">
          <SubmitButton>Send request</SubmitButton>
        </div>
      </ApiForm>
    </>
  );
}

const TONES = { accepted: "ok", rejected: "danger", unclear: "notice", unreachable: "danger" } as const;

/** The root URL of the first host that is not a pattern. */
function firstAddress(hosts: readonly string[]): string {
  const host = hosts.find((listed) => !listed.startsWith("*."));
  return host === undefined ? "" : `https://${host}/`;
}
