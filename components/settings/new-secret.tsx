"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { ChoiceField } from "@/components/form/choice-field";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { SecretKind } from "@/lib/schemas/secret";
import { SecretFields } from "./secret-fields";
import { SECRET_FORMS, secretBody } from "./secret-kinds";

const KINDS = Object.entries(SECRET_FORMS).map(([value, { title }]) => ({ value, label: title }));

/** A button for a further credential. `path` is the workspace's in the account API. */
export function NewSecret({ path }: { path: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Add a secret
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Add a secret">
        <NewSecretForm path={path} onStored={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function NewSecretForm({ path, onStored }: { path: string; onStored: () => void }) {
  const [kind, setKind] = useState<SecretKind>("header");
  const toBody = (form: FormData) => {
    const typed = Object.fromEntries(form) as Record<string, string>;
    return { name: typed.name?.trim(), ...secretBody(kind, typed) };
  };
  return (
    <ApiForm
      method="POST"
      path={`${path}/secrets`}
      toBody={toBody}
      done="Secret stored."
      onDone={onStored}
      className="mt-4 space-y-4"
    >
      <TextField
        name="name"
        label="Name"
        placeholder="weather-service"
        hint="The name that recipes will use: lowercase letters, digits, - and _."
        maxLength={63}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <ChoiceField
        name="kind"
        label="Kind"
        choices={KINDS}
        value={kind}
        onChange={(event) => setKind(event.target.value as SecretKind)}
      />
      <SecretFields kind={kind} />
      <div className="flex flex-wrap items-center justify-between gap-3 pt-1">
        <p className="text-muted text-xs">Values can’t be viewed after saving, only replaced.</p>
        <SubmitButton>Store secret</SubmitButton>
      </div>
    </ApiForm>
  );
}
