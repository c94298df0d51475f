"use client";

import { ApiForm } from "@/components/form/api-form";
import { DialogButton } from "@/components/form/dialog-button";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import type { Secret } from "@/lib/schemas/secret";

interface Props {
  secret: Pick<Secret, "name" | "hosts">;
  /** Path of the workspace in the account API. */
  path: string;
}

/** A button that edits the hosts that a credential may be sent to. */
export function SecretHosts({ secret: { name, hosts }, path }: Props) {
  const address = `${path}/secrets/${encodeURIComponent(name)}/hosts`;
  const call = { method: "PUT", path: address, body: "secret_hosts" } as const;
  return (
    <DialogButton label="Hosts" describes={`of ${name}`} title={`Hosts of “${name}”`} small call={call}>
      {(close) => (
        <>
          <p className="mt-2 text-muted text-sm">Recipes can send it only to these hosts.</p>
          <ApiForm {...call} done={`Hosts of “${name}” changed.`} onDone={close} keeps className="mt-4 space-y-4">
            <TextField
              name="hosts"
              label="Host names"
              defaultValue={hosts.join(", ")}
              placeholder="api.example.org"
              hint="Separated by commas. *.example.org matches all its subdomains."
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <div className="flex justify-end pt-1">
              <SubmitButton>Save hosts</SubmitButton>
            </div>
          </ApiForm>
        </>
      )}
    </DialogButton>
  );
}
