"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { ChoiceField } from "@/components/form/choice-field";
import { useFormReply } from "@/components/form/plain-form";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { dayAfter, LIFETIMES } from "@/lib/schemas/key-lifetime";
import { KeyReveal, type MadeKey, type QueryExample } from "./key-reveal";

interface Props {
  kind?: "use" | "live";
  /** Path of the workspace in the account API. */
  path: string;
  /** A query that returns rows; absent while nothing is published. */
  example: QueryExample | undefined;
  /** Today, UTC. */
  today: string;
}

/** The form to create a key, replaced by the new key until that is dismissed. */
export function NewKey({ kind = "use", path, example, today }: Props) {
  const [made, setMade] = useState(useFormReply(callOf(kind, path))?.data as MadeKey | undefined);
  const putAway = () => {
    setMade(undefined);
    document.getElementById(kind === "live" ? "live-keys" : "keys")?.focus();
  };
  if (made) return <KeyReveal made={made} example={example} onPutAway={putAway} />;
  return <NewKeyForm kind={kind} path={path} today={today} onMade={setMade} />;
}

const callOf = (kind: "use" | "live", path: string) =>
  ({ method: "POST", path: `${path}/keys`, body: kind === "live" ? "live_key" : "key" }) as const;

type FormProps = Required<Pick<Props, "kind" | "path" | "today">> & { onMade: (made: MadeKey) => void };

function NewKeyForm({ kind, path, today, onMade }: FormProps) {
  const call = callOf(kind, path);
  const again = useFormReply(call)?.typed;
  const [lifetime, setLifetime] = useState<string>(again?.lifetime ?? LIFETIMES[0].value);
  const [typed, setTyped] = useState(again?.name ?? "");
  const first = new Date(`${today}T00:00:00Z`);
  return (
    <ApiForm<Omit<MadeKey, "name">>
      {...call}
      onDone={({ key, expires_at }) => onMade({ key, expires_at, name: typed.trim() })}
      className={
        "mb-6 grid items-start gap-x-3 gap-y-4 rounded-lg border border-line bg-surface p-4 " +
        "sm:grid-cols-[minmax(0,1fr)_11rem_auto]"
      }
    >
      <TextField
        name="name"
        label="Name"
        placeholder="where it is used, such as “laptop”"
        maxLength={100}
        required
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="space-y-3">
        <ChoiceField
          name="lifetime"
          label="Expires"
          choices={LIFETIMES}
          value={lifetime}
          onChange={(event) => setLifetime(event.target.value)}
        />
        {lifetime === "date" && <LastDay first={first} />}
        <noscript>
          <LastDay first={first} hint="For a key that expires on a date." />
        </noscript>
      </div>
      <div className="sm:pt-7">
        <SubmitButton>{kind === "live" ? "Create live key" : "Create key"}</SubmitButton>
      </div>
    </ApiForm>
  );
}

const LastDay = ({ first, hint }: { first: Date; hint?: string }) => (
  <TextField
    type="date"
    name="expires_at"
    label="Last day (UTC)"
    hint={hint}
    min={dayAfter(first, 1)}
    max={dayAfter(first, 3653)}
    defaultValue={dayAfter(first, 90)}
    required
  />
);
