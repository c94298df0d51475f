"use client";

import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { ChoiceField } from "@/components/form/choice-field";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { dayAfter, expiryOf, LIFETIMES } from "./key-lifetime";
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

/** The form for a key and, in its place, the key that was made with it until it is put away. */
export function NewKey({ kind = "use", path, example, today }: Props) {
  const [made, setMade] = useState<MadeKey>();
  const putAway = () => {
    setMade(undefined);
    document.getElementById(kind === "live" ? "live-keys" : "keys")?.focus();
  };
  if (made) return <KeyReveal made={made} example={example} onPutAway={putAway} />;
  return <NewKeyForm kind={kind} path={path} today={today} onMade={setMade} />;
}

type FormProps = Required<Pick<Props, "kind" | "path" | "today">> & { onMade: (made: MadeKey) => void };

function NewKeyForm({ kind, path, today, onMade }: FormProps) {
  const [lifetime, setLifetime] = useState<string>(LIFETIMES[0].value);
  const name = (form: FormData) => String(form.get("name") ?? "").trim();
  const [typed, setTyped] = useState("");
  const toBody = (form: FormData) => ({
    name: name(form),
    ...(kind === "live" && { kind }),
    expires_at: expiryOf(lifetime, String(form.get("expires_at") ?? ""), new Date()),
  });
  const first = new Date(`${today}T00:00:00Z`);
  return (
    <ApiForm<Omit<MadeKey, "name">>
      method="POST"
      path={`${path}/keys`}
      toBody={toBody}
      onDone={({ key, expires_at }) => onMade({ key, expires_at, name: typed.trim() })}
      className={
        "needs-script mb-6 grid items-start gap-x-3 gap-y-4 rounded-lg border border-line bg-surface p-4 " +
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
        {lifetime === "date" && (
          <TextField
            type="date"
            name="expires_at"
            label="Last day (UTC)"
            min={dayAfter(first, 1)}
            max={dayAfter(first, 3653)}
            defaultValue={dayAfter(first, 90)}
            required
          />
        )}
      </div>
      <div className="sm:pt-7">
        <SubmitButton>{kind === "live" ? "Create live key" : "Create key"}</SubmitButton>
      </div>
    </ApiForm>
  );
}
