"use client";

import { useContext, useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { ChoiceField } from "@/components/form/choice-field";
import { FormContext } from "@/components/form/form-state";
import { useFormReply } from "@/components/form/plain-form";
import { ShownOnce } from "@/components/form/shown-once";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { NEWS_KIND_NAMES, NEWS_KINDS, type NewsKind } from "@/lib/schemas/news-kinds";

const WEBHOOK = { channel: "webhook" };
const EMAIL = { channel: "email" };
const EMAILED: readonly NewsKind[] = NEWS_KIND_NAMES.filter((kind) => kind !== "approval_asked");

interface Props {
  /** Path of the workspace in the account API. */
  path: string;
  /** The slug of a dataset to watch, with which the forms begin. */
  dataset: string | undefined;
  /** A saved view whose result the forms are for, instead of events. */
  view: WatchedView | undefined;
  /** The person's confirmed email address; undefined if emails cannot be sent to it. */
  email: string | undefined;
  /** Why emails are unavailable, and what to do. */
  noEmail: string;
}

interface WatchedView {
  id: string;
  name: string;
  /** The columns of its result that a threshold may be of. */
  columns: readonly string[];
}

/** Forms to add a webhook, and emails to oneself. */
export function NewWatch({ path, dataset, view, email, noEmail }: Props) {
  const call = { method: "POST", path: `${path}/watches`, body: "watch" } as const;
  const sent = useFormReply(call);
  const [secret, setSecret] = useState(sent?.data?.secret as string | null | undefined);
  const about = view ? <ViewThreshold columns={view.columns} /> : undefined;
  const only = view && { view: view.id };
  const isGiven = dataset !== undefined || view !== undefined;
  const isFaulty = ({ channel }: typeof EMAIL) => sent?.problem !== undefined && sent.typed.channel === channel;
  return (
    <div id="new" className="space-y-3">
      {secret && <SigningSecret key={secret} secret={secret} />}
      <details className="rounded-lg border border-line px-4 py-3" open={isFaulty(WEBHOOK) || (isGiven && !email)}>
        <summary className="cursor-pointer font-medium">Add a webhook</summary>
        <ApiForm<{ secret: string | null }>
          {...call}
          only={{ ...WEBHOOK, ...only }}
          done="Webhook added."
          onDone={(made) => setSecret(made.secret)}
          className="mt-4 space-y-4"
        >
          <TextField
            name="url"
            type="url"
            label="URL"
            hint="A public URL that starts with https://. Messages are signed with a secret that is shown once."
            placeholder="https://hooks.example.org/parquetry"
            maxLength={2000}
            required
          />
          {about ?? (
            <>
              <About dataset={dataset} />
              <Events kinds={NEWS_KIND_NAMES} />
            </>
          )}
          <SubmitButton>Add webhook</SubmitButton>
        </ApiForm>
      </details>
      {!email && <p className="text-muted text-sm">{noEmail}</p>}
      {email && (
        <details className="rounded-lg border border-line px-4 py-3" open={isFaulty(EMAIL) || isGiven}>
          <summary className="cursor-pointer font-medium">Email me</summary>
          <ApiForm {...call} only={{ ...EMAIL, ...only }} done="Emails turned on." className="mt-4 space-y-4">
            <p className="text-muted text-sm">
              Emails go to {email}.{!view && " People who can decide on an approval are always emailed about it."}
            </p>
            {about ?? (
              <>
                <About dataset={dataset} />
                <Events kinds={EMAILED} />
              </>
            )}
            <SubmitButton>Email me</SubmitButton>
          </ApiForm>
        </details>
      )}
    </div>
  );
}

const About = ({ dataset }: Pick<Props, "dataset">) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      name="dataset"
      label="Dataset"
      hint="The last part of its URL, such as river-levels. Leave empty for all of the workspace’s datasets."
      defaultValue={dataset}
      maxLength={100}
      autoCapitalize="none"
      spellCheck={false}
    />
    <TextField name="table" label="Table" hint="Leave empty for all tables." maxLength={100} autoCapitalize="none" />
  </div>
);

const EVERY_CHANGE = { value: "", label: "every change of the result" };
const SIDES = [
  { value: "above", label: "above" },
  { value: "below", label: "below" },
];

/** Whether every change of a view's result is told, or only values that cross a threshold. */
function ViewThreshold({ columns }: Pick<WatchedView, "columns">) {
  if (columns.length === 0) return <p className="text-sm">You are told of every change of the result.</p>;
  const choices = [EVERY_CHANGE, ...columns.map((value) => ({ value, label: `${value}, when it crosses a value` }))];
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[2fr_1fr_1fr]">
      <ChoiceField name="column" label="Tell me of" choices={choices} />
      <ChoiceField name="is" label="Above or below" choices={SIDES} />
      <TextField
        name="threshold"
        label="Value"
        hint="For a column."
        inputMode="decimal"
        maxLength={100}
        autoComplete="off"
      />
    </div>
  );
}

function Events({ kinds }: { kinds: readonly NewsKind[] }) {
  const { faults, typed } = useContext(FormContext);
  const isChosen = (kind: NewsKind) => ("channel" in typed ? typed[kind] === "yes" : kind === "released");
  return (
    <fieldset aria-describedby={faults.events && "faulty-events"}>
      <legend className="mb-1.5 font-medium text-sm">Events</legend>
      {faults.events && (
        <p id="faulty-events" className="mb-1.5 text-danger text-sm">
          {faults.events}
        </p>
      )}
      <ul className="space-y-2">
        {kinds.map((kind) => (
          <li key={kind}>
            <label className="flex items-start gap-2.5 text-sm">
              <input type="checkbox" name={kind} value="yes" defaultChecked={isChosen(kind)} className="mt-1" />
              <span>
                {NEWS_KINDS[kind].title}
                <span className="block text-muted text-xs">{NEWS_KINDS[kind].meaning}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** A webhook's signing secret, right after it was created. */
const SigningSecret = ({ secret }: { secret: string }) => (
  <ShownOnce
    title="Signing secret"
    about="Copy it now. It won’t be shown again. Your receiver needs it to verify each message."
    text={secret}
    label="secret"
  />
);

/** Replaces the signing secret of the webhook at this path of the account API, and shows the new one. */
export function ReplaceSigningSecret({ path }: { path: string }) {
  const call = { method: "POST", path: `${path}/secret`, body: "none" } as const;
  const sent = useFormReply(call);
  const [secret, setSecret] = useState(sent?.data?.secret as string | undefined);
  if (secret) return <SigningSecret secret={secret} />;
  return (
    <details className="text-sm open:basis-full" open={sent?.problem !== undefined}>
      <summary className="link w-fit cursor-pointer">New secret</summary>
      <ApiForm<{ secret: string }>
        {...call}
        onDone={(replaced) => {
          setSecret(replaced.secret);
          return false; // the list would be rendered again, without the secret
        }}
        className="mt-2 flex flex-wrap items-center gap-3 text-muted"
      >
        <span>Messages are signed with the new secret immediately.</span>
        <SubmitButton look="plain" small>
          Replace secret
        </SubmitButton>
      </ApiForm>
    </details>
  );
}
