"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { ChoiceField } from "@/components/form/choice-field";
import { useFormReply } from "@/components/form/plain-form";
import { ShownOnce } from "@/components/form/shown-once";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import type { NewInvitation } from "@/lib/schemas/workspace";

const ROLES = [
  { value: "member", label: "Member" },
  { value: "owner", label: "Owner" },
] as const;

/** Creates an invitation link for one person, which is shown only once. */
export function InviteForm({ path, canMail }: { path: string; canMail: boolean }) {
  const call = { method: "POST", path, body: "invitation" } as const;
  const [made, setMade] = useState(useFormReply(call)?.data as NewInvitation | undefined);
  return (
    <>
      <ApiForm<NewInvitation> {...call} onDone={setMade} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_9rem_auto] sm:items-start">
          <TextField
            name="email"
            type="email"
            label="Email (optional)"
            hint={
              canMail
                ? "We’ll email the link to this address. Leave it empty to send the link yourself."
                : "A note of who the link is for. Email isn’t set up here, so send it yourself."
            }
            autoComplete="off"
            maxLength={254}
          />
          <ChoiceField name="role" label="Role" choices={ROLES} />
          <div className="sm:pt-7">
            <SubmitButton look="plain">Create link</SubmitButton>
          </div>
        </div>
      </ApiForm>
      {made && (
        <div className="mt-5">
          <MadeLink key={made.url} made={made} />
        </div>
      )}
    </>
  );
}

const MadeLink = ({ made: { url, mailed, invitation } }: { made: NewInvitation }) => (
  <ShownOnce
    title={mailed ? `Link sent to ${invitation.email}.` : "Copy this link now. It won’t be shown again."}
    about={
      `The first person to open it and sign in becomes ${invitation.role === "owner" ? "an owner" : "a member"}. It ` +
      "works once and expires in a week."
    }
    text={url}
    label="invitation link"
  />
);
