"use client";

import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";

const AFTER = "/settings/workspace";

/** Deletes a workspace after an owner has entered its name. `api`: its path in the account API. */
export function DeleteWorkspace({ api, name }: { api: string; name: string }) {
  const leave = () => {
    window.location.assign(AFTER);
    return false;
  };
  return (
    <ApiForm
      method="POST"
      path={`${api}/delete`}
      body="name"
      onDone={leave}
      leadsTo={AFTER}
      keeps
      className="max-w-md space-y-5"
    >
      <TextField
        name="name"
        label="Name of the workspace"
        hint={
          <>
            Type <b className="font-medium text-ink">{name}</b> to confirm.
          </>
        }
        autoComplete="off"
        required
      />
      <SubmitButton look="danger">Delete workspace</SubmitButton>
    </ApiForm>
  );
}
