"use client";

import { ApiForm } from "@/components/form/api-form";
import { DialogButton } from "@/components/form/dialog-button";
import { SubmitButton } from "@/components/form/submit-button";
import type { Secret } from "@/lib/schemas/secret";
import { SecretFields } from "./secret-fields";

interface Props {
  secret: Pick<Secret, "name" | "kind" | "field">;
  /** Path of the workspace in the account API. */
  path: string;
}

/** A button that replaces a credential's value. */
export function ReplaceSecret({ secret: { name, kind, field }, path }: Props) {
  const call = { method: "PUT", path: `${path}/secrets/${encodeURIComponent(name)}`, body: "secret_value" } as const;
  return (
    <DialogButton label="Replace" describes={name} title={`Replace “${name}”`} small call={call}>
      {(close) => (
        <>
          <p className="mt-2 text-muted text-sm">
            Recipes use the new value from their next run. The old value is erased.
          </p>
          <ApiForm {...call} done={`“${name}” replaced.`} onDone={close} className="mt-4 space-y-4">
            <input type="hidden" name="kind" value={kind} />
            <SecretFields kind={kind} field={field} />
            <div className="flex justify-end pt-1">
              <SubmitButton>Replace value</SubmitButton>
            </div>
          </ApiForm>
        </>
      )}
    </DialogButton>
  );
}
