"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import type { Secret, SecretTrial } from "@/lib/schemas/secret";

interface Props {
  secret: Pick<Secret, "name" | "hosts">;
  /** Path of the workspace in the account API. */
  path: string;
}

/** A button that tries a credential at a host of its own, and says what came of it. */
export function TestSecret({ secret: { name, hosts }, path }: Props) {
  const [open, setOpen] = useState(false);
  const [trial, setTrial] = useState<SecretTrial>();
  const close = () => {
    setOpen(false);
    setTrial(undefined);
  };
  return (
    <>
      <Button small onClick={() => setOpen(true)} aria-label={`Test ${name}`}>
        Test
      </Button>
      <Dialog open={open} onClose={close} title={`Test “${name}”`}>
        <p className="mt-2 text-muted text-sm">
          Sends one request with the credential, without reading data. An address at one of its hosts that needs it
          tells the most.
        </p>
        <ApiForm<SecretTrial>
          method="POST"
          path={`${path}/secrets/${encodeURIComponent(name)}/test`}
          toBody={(form) => ({ url: String(form.get("url") ?? "").trim() })}
          onDone={(found) => {
            setTrial(found);
            return false;
          }}
          keeps
          className="mt-4 space-y-4"
        >
          <TextField
            name="url"
            label="URL"
            type="url"
            defaultValue={firstAddress(hosts)}
            placeholder="https://api.example.org/v1/stations"
            hint={`At ${hosts.join(", ")}.`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          {trial && <Notice tone={TONES[trial.verdict]}>{trial.words}</Notice>}
          <div className="flex justify-end pt-1">
            <SubmitButton>Send request</SubmitButton>
          </div>
        </ApiForm>
      </Dialog>
    </>
  );
}

const TONES = { accepted: "ok", rejected: "danger", unclear: "notice", unreachable: "danger" } as const;

/** The root of the first host that is one. */
function firstAddress(hosts: readonly string[]): string {
  const host = hosts.find((listed) => !listed.startsWith("*."));
  return host === undefined ? "" : `https://${host}/`;
}
