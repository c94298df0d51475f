"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { SubmitButton } from "@/components/form/submit-button";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Secret } from "@/lib/schemas/secret";
import { SecretFields } from "./secret-fields";
import { secretBody } from "./secret-kinds";

/** A button that replaces a credential's value. `path` is the workspace's path in the account API. */
export function ReplaceSecret({
  secret: { name, kind, field },
  path,
}: {
  secret: Pick<Secret, "name" | "kind" | "field">;
  path: string;
}) {
  const [open, setOpen] = useState(false);
  const toBody = (form: FormData) => secretBody(kind, Object.fromEntries(form) as Record<string, string>);
  return (
    <>
      <Button small onClick={() => setOpen(true)} aria-label={`Replace ${name}`}>
        Replace
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={`Replace “${name}”`}>
        <p className="mt-2 text-muted text-sm">
          Recipes use the new value from their next run. The old value is erased.
        </p>
        <ApiForm
          method="PUT"
          path={`${path}/secrets/${encodeURIComponent(name)}`}
          toBody={toBody}
          done={`“${name}” replaced.`}
          onDone={() => setOpen(false)}
          className="mt-4 space-y-4"
        >
          <SecretFields kind={kind} field={field} />
          <div className="flex justify-end pt-1">
            <SubmitButton>Replace value</SubmitButton>
          </div>
        </ApiForm>
      </Dialog>
    </>
  );
}
