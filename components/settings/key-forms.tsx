"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { ChoiceField } from "@/components/form/choice-field";
import { useFormReply } from "@/components/form/plain-form";
import { ShownOnce } from "@/components/form/shown-once";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { CopyButton } from "@/components/ui/copy-button";
import { curlQuery } from "@/lib/describe/snippets";
import { formatDay } from "@/lib/kernel/format";
import { dayAfter, LIFETIMES } from "@/lib/schemas/key-lifetime";
import type { AccessKey } from "@/lib/schemas/workspace";

interface MadeKey {
  name: string;
  key: string;
  expires_at: string | null;
}

export interface QueryExample {
  url: string;
  body: Parameters<typeof curlQuery>[1];
  /** What the query reads, such as “Mauna Loa CO₂”. */
  title: string;
}

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
  if (made) return <NewKeyShown made={made} example={example} onPutAway={putAway} />;
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
      <Limits kind={kind} typed={again} />
    </ApiForm>
  );
}

/** What the key is limited to; hidden until asked for, as most keys are not. */
const Limits = ({ kind, typed }: Pick<FormProps, "kind"> & { typed: Readonly<Record<string, string>> | undefined }) => (
  <details className="text-sm sm:col-span-3" open={Boolean(typed?.datasets || typed?.permissions)}>
    <summary className="inline-block cursor-pointer rounded-sm py-1 text-accent text-xs">Limit what it may do</summary>
    <div className="mt-2 grid items-start gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
      <TextField
        name="datasets"
        label="Datasets"
        hint="Slugs, separated by commas, as in their addresses. Empty: all that the workspace may read."
        placeholder="us-flights-2001, daily-weather"
        autoComplete="off"
        spellCheck={false}
      />
      {kind === "use" && (
        <ChoiceField name="permissions" label="It may" choices={PERMISSIONS} defaultValue={typed?.permissions} />
      )}
    </div>
  </details>
);

const PERMISSIONS = [
  { value: "", label: "query and download" },
  { value: "read", label: "only query" },
  { value: "download", label: "only download whole files" },
] as const;

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

const OVERLAPS = [
  { value: "1", label: "1 hour" },
  { value: "24", label: "1 day" },
  { value: "168", label: "7 days" },
] as const;

/** Renames a key, or replaces it with a new one that is shown here until it is dismissed. */
export function KeyEdits({ entry, path }: Pick<Props, "path"> & { entry: Pick<AccessKey, "id" | "name"> }) {
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
        <NewKeyShown made={made} example={undefined} onPutAway={putAway} />
      </div>
    );
  return (
    <details className="mt-1 text-sm" open={isRejected}>
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

function NewKeyShown({ made, example, onPutAway }: Pick<Props, "example"> & { made: MadeKey; onPutAway: () => void }) {
  return (
    <ShownOnce
      title="Copy this key now. It won’t be shown again"
      about={
        <>
          “{made.name}”, {made.expires_at ? `valid until ${formatDay(made.expires_at)}` : "valid until revoked"}. Treat
          it like a password: keep it out of source code and chats.
        </>
      }
      text={made.key}
      label="key"
      onPutAway={onPutAway}
    >
      {example && <TryIt made={made} example={example} />}
    </ShownOnce>
  );
}

function TryIt({ made, example: { url, body, title } }: { made: MadeKey; example: QueryExample }) {
  const code = `PARQUETRY_KEY='${made.key}'\n${curlQuery(url, body, true)}`;
  return (
    <figure className="mt-3 overflow-hidden rounded-md border border-line-strong bg-paper">
      <figcaption
        className={"flex items-center justify-between gap-2 border-line border-b py-1 pr-1.5 pl-3 text-muted text-xs"}
      >
        <span className="min-w-0 truncate">Try it in a shell with a few rows of {title}</span>
        <CopyButton text={code} label="command with the key" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard. */}
      <pre tabIndex={0} className="overflow-x-auto px-3 py-2.5 font-mono text-[0.8125rem] leading-[1.375rem]">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
