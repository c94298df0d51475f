"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Secret } from "@/lib/schemas/secret";

interface Props {
  secret: Pick<Secret, "name" | "hosts">;
  /** Path of the workspace in the account API. */
  path: string;
}

/** A button for the hosts that a credential may be sent to. */
export function SecretHosts({ secret: { name, hosts }, path }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)} aria-label={`Hosts of ${name}`}>
        Hosts
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={`Hosts of “${name}”`}>
        <p className="mt-2 text-muted text-sm">Recipes can send it to these hosts and nowhere else.</p>
        <ApiForm
          method="PUT"
          path={`${path}/secrets/${encodeURIComponent(name)}/hosts`}
          toBody={(form) => ({ hosts: wordsOf(String(form.get("hosts") ?? "")) })}
          done={`Hosts of “${name}” changed.`}
          onDone={() => setOpen(false)}
          keeps
          className="mt-4 space-y-4"
        >
          <TextField
            name="hosts"
            label="Host names"
            defaultValue={hosts.join(", ")}
            placeholder="api.example.org"
            hint="Separated by commas. *.example.org stands for all hosts below it."
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <div className="flex justify-end pt-1">
            <SubmitButton>Save hosts</SubmitButton>
          </div>
        </ApiForm>
      </Dialog>
    </>
  );
}

const wordsOf = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
