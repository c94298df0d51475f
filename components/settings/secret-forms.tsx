"use client";

import { useContext, useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { ChoiceField } from "@/components/form/choice-field";
import { DialogButton } from "@/components/form/dialog-button";
import { FormContext } from "@/components/form/form-state";
import { useFormReply } from "@/components/form/plain-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Notice } from "@/components/ui/notice";
import type { SecretKind, SecretTrial } from "@/lib/schemas/secret";
import { SECRET_FORMS } from "@/lib/schemas/secret-forms";

const KINDS = (Object.keys(SECRET_FORMS) as SecretKind[]).map((value) => ({ value, label: SECRET_FORMS[value].title }));

interface Call {
  method: "POST";
  path: string;
  body: "secret";
}

/** A button that adds a credential. `path` is the workspace's in the account API. */
export function NewSecret({ path }: { path: string }) {
  const call: Call = { method: "POST", path: `${path}/secrets`, body: "secret" };
  const reply = useFormReply(call);
  return (
    <DialogButton label="Add a secret" title="Add a secret" look="primary" isOpen={reply?.problem !== undefined}>
      {(close) =>
        close ? (
          <NewSecretForm call={call} onStored={close} />
        ) : (
          <NewSecretOfEachKind call={call} sent={reply?.typed.kind} />
        )
      }
    </DialogButton>
  );
}

function NewSecretForm({ call, onStored }: { call: Call; onStored: () => void }) {
  const [kind, setKind] = useState<SecretKind>("header");
  return (
    <ApiForm {...call} done="Secret stored." onDone={onStored} className="mt-4 space-y-4">
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
const NewSecretOfEachKind = ({ call, sent }: { call: Call; sent: string | undefined }) =>
  KINDS.map(({ value, label }) => (
    <details key={value} name="kind-of-secret" open={value === sent} className="mt-3">
      <summary className="link w-fit">{label}</summary>
      <ApiForm {...call} done="Secret stored." className="mt-3 space-y-4">
        <input type="hidden" name="kind" value={value} />
        <SecretName />
        <SecretFields kind={value} />
        <Store />
      </ApiForm>
    </details>
  ));

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

/** The fields of a credential. `field` is the header or parameter that it was sent in so far. */
export function SecretFields({ kind, field }: { kind: SecretKind; field?: string | null }) {
  const { use, fields } = SECRET_FORMS[kind];
  return (
    <>
      <p className="text-muted text-sm">{use}</p>
      {fields.map(({ name, label, isSecret, optional, keepsEmpty, placeholder, hint }) => (
        <TextField
          key={`${kind}-${name}`}
          name={name}
          label={optional && !keepsEmpty ? `${label} (optional)` : label}
          type={isSecret ? "password" : "text"}
          placeholder={placeholder}
          hint={hint}
          defaultValue={name === "field" && field ? field : undefined}
          required={!optional}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-1p-ignore=""
          data-lpignore="true"
        />
      ))}
    </>
  );
}

const TONES = { accepted: "ok", rejected: "danger", unclear: "notice", unreachable: "danger" } as const;

/** What the trial of a credential found, once its form has been sent. */
export function TrialResult() {
  const trial = useContext(FormContext).told as SecretTrial | undefined;
  return trial?.verdict && <Notice tone={TONES[trial.verdict]}>{trial.words}</Notice>;
}
