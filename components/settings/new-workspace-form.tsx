"use client";

import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";

/** Makes a workspace and goes there. */
export function NewWorkspaceForm() {
  return (
    <ApiForm<{ workspace: { id: string } }>
      method="POST"
      path="/api/account/workspaces"
      onDone={({ workspace }) => {
        window.location.assign(`/settings/workspace?workspace=${workspace.id}`);
        return false;
      }}
      className="max-w-md space-y-4"
    >
      <TextField name="name" label="Name" placeholder="River team" autoComplete="off" maxLength={100} required />
      <SubmitButton look="">Make the workspace</SubmitButton>
    </ApiForm>
  );
}
