"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { ChoiceField } from "@/components/form/choice-field";
import { useFormReply } from "@/components/form/plain-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import type { AccessKey } from "@/lib/schemas/workspace";
import { KeyReveal, type MadeKey } from "./key-reveal";

const OVERLAPS = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "1 day" },
  { value: "168", label: "7 days" },
] as const;

interface Props {
  entry: Pick<AccessKey, "id" | "name">;
  /** Path of the workspace in the account API. */
  path: string;
}

/** Renames a key, or replaces it with a new one that is shown here until it is dismissed. */
export function KeyEdits({ entry, path }: Props) {
  const router = useRouter();
  const key = `${path}/keys/${entry.id}`;
  const rename = { method: "PATCH", path: key, body: "name" } as const;
  const replace = { method: "POST", path: `${key}/replacement`, body: "key_replacement" } as const;
  const replied = useFormReply(replace);
  const isRejected = [useFormReply(rename), replied].some((reply) => reply?.problem);
  const [made, setMade] = useState(replied?.data as MadeKey | undefined);
  const putAway = () => {
    setMade(undefined);
    document.getElementById("keys")?.focus();
    router.refresh();
  };
  if (made)
    return (
      <div className="mt-3">
        <KeyReveal made={made} example={undefined} onPutAway={putAway} />
      </div>
    );
  return (
    <details className="mt-1 font-normal text-sm" open={isRejected}>
      <summary className="inline-block cursor-pointer rounded-sm py-1 text-accent text-xs">
        Rename or replace<span className="sr-only"> {entry.name}</span>
      </summary>
      <div className="mt-2 grid max-w-md gap-5 pb-2">
        <ApiForm {...rename} done="Key renamed." keeps className="flex flex-wrap items-end gap-3">
          <TextField
            name="name"
            label="Rename to"
            defaultValue={entry.name}
            maxLength={100}
            autoComplete="off"
            required
          />
          <SubmitButton look="plain">Rename</SubmitButton>
        </ApiForm>
        <ApiForm<MadeKey>
          {...replace}
          onDone={(given) => {
            setMade(given);
            return false; // the list is refreshed once the key is dismissed
          }}
          className="flex flex-wrap items-end gap-3"
        >
          <ChoiceField
            name="keep_hours"
            label="The old key works for another"
            choices={OVERLAPS}
            defaultValue={replied?.typed.keep_hours ?? "24"}
          />
          <SubmitButton look="plain">Replace</SubmitButton>
        </ApiForm>
      </div>
    </details>
  );
}
