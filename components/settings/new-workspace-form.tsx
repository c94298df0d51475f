"use client";

import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";

/** Creates a workspace and opens it. */
export function NewWorkspaceForm() {
  return (
    <ApiForm<{ workspace: { id: string } }>
      method="POST"
      path="/api/account/workspaces"
      body="workspace"
      onDone={({ workspace }) => {
        window.location.assign(`/settings/workspace?workspace=${workspace.id}`);
        return false;
      }}
      className="grid max-w-lg gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <TextField
        name="name"
        label="Name of the new workspace"
        placeholder="River team"
        autoComplete="off"
        maxLength={100}
        required
      />
      <div className="sm:pt-7">
        <SubmitButton look="plain">Create</SubmitButton>
      </div>
    </ApiForm>
  );
}
