"use client";

import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";

interface Props {
  path: string;
  label: string;
  name: string;
  hint?: string;
  autoComplete?: string;
  /** An empty name is sent as none. */
  optional?: boolean;
}

/** A name that can be changed, of a person or a workspace. */
export function NameForm({ path, label, name, hint, autoComplete = "off", optional = false }: Props) {
  return (
    <ApiForm
      method="PATCH"
      path={path}
      body={optional ? "optional_name" : "name"}
      done="Name saved."
      keeps
      className="grid max-w-lg gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <TextField
        name="name"
        label={label}
        hint={hint}
        defaultValue={name}
        autoComplete={autoComplete}
        maxLength={100}
        required={!optional}
      />
      <div className="sm:pt-7">
        <SubmitButton look="plain">Save</SubmitButton>
      </div>
    </ApiForm>
  );
}
