"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { ChoiceField } from "@/components/form/choice-field";
import { DialogButton } from "@/components/form/dialog-button";
import { useFormReply } from "@/components/form/plain-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import type { SecretKind } from "@/lib/schemas/secret";
import { SECRET_FORMS } from "@/lib/schemas/secret-forms";
import { SecretFields } from "./secret-fields";

const KINDS = (Object.keys(SECRET_FORMS) as SecretKind[]).map((value) => ({ value, label: SECRET_FORMS[value].title }));

const callOf = (path: string) => ({ method: "POST", path: `${path}/secrets`, body: "secret" }) as const;

/** A button that adds a credential. `path` is the workspace's in the account API. */
export const NewSecret = ({ path }: { path: string }) => (
  <DialogButton
    label="Add a secret"
    title="Add a secret"
    look="primary"
    call={callOf(path)}
    plain={<NewSecretOfEachKind path={path} />}
  >
    {(close) => <NewSecretForm path={path} onStored={close} />}
  </DialogButton>
);

function NewSecretForm({ path, onStored }: { path: string; onStored: () => void }) {
  const [kind, setKind] = useState<SecretKind>("header");
  return (
    <ApiForm {...callOf(path)} done="Secret stored." onDone={onStored} className="mt-4 space-y-4">
      <SecretName />
      <ChoiceField
        name="kind"
        label="Kind"
        choices={KINDS}
        value={kind}
        onChange={(event) => setKind(event.target.value as SecretKind)}
      />
      <SecretFields kind={kind} />
      <Store />
    </ApiForm>
  );
}

/** Without JavaScript, the fields cannot change with the chosen kind, so each kind has its own form. */
function NewSecretOfEachKind({ path }: { path: string }) {
  const typed = useFormReply(callOf(path))?.typed.kind;
  return KINDS.map(({ value, label }) => (
    <details key={value} name="kind-of-secret" open={value === typed} className="mt-3">
      <summary className="link w-fit">{label}</summary>
      <ApiForm {...callOf(path)} done="Secret stored." className="mt-3 space-y-4">
        <input type="hidden" name="kind" value={value} />
        <SecretName />
        <SecretFields kind={value} />
        <Store />
      </ApiForm>
    </details>
  ));
}

const SecretName = () => (
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
);

const Store = () => (
  <div className="flex flex-wrap items-center justify-between gap-3 pt-1">
    <p className="text-muted text-xs">Values can’t be viewed after saving, only replaced.</p>
    <SubmitButton>Store secret</SubmitButton>
  </div>
);
