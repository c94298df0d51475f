"use client";

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { type TryCall, type TryField, tryAddress } from "@/lib/docs/try-call";
import { sendCall, type TryReply } from "./send-call";
import { TryResult } from "./try-result";

/** Fields of an operation, a button that calls it without credentials, and the response. */
export function TryForm({ call }: { call: TryCall }) {
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(call.fields.map(({ name, value }) => [name, value])),
  );
  const [body, setBody] = useState(call.body ?? "");
  const [reply, setReply] = useState<TryReply | "asking">();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, select, textarea, button")?.focus(), []);
  const address = tryAddress(call, values);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setReply("asking");
    setReply(await sendCall(call.method, address, call.body === undefined ? undefined : body));
  };
  return (
    <form ref={form} onSubmit={send} aria-label="Try it" className="try">
      {call.fields.map((field) => (
        <ParameterField
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      {call.body !== undefined && <BodyField value={body} onChange={setBody} />}
      <div className="flex flex-wrap items-center gap-3">
        <button
          type="submit"
          className={`button button-primary ${reply === "asking" ? "is-pending" : ""}`}
          disabled={reply === "asking"}
        >
          {reply === "asking" ? "Sending…" : "Send"}
        </button>
        <code className="try-address">
          {call.method} {address}
        </code>
      </div>
      <div role="status" className="min-w-0">
        {reply && reply !== "asking" && <TryResult reply={reply} />}
      </div>
    </form>
  );
}

interface FieldProps {
  field: TryField;
  value: string;
  onChange: (value: string) => void;
}

function ParameterField({ field: { name, hint, options, place }, value, onChange }: FieldProps) {
  const id = useId();
  const props = {
    id,
    value,
    "aria-describedby": `${id}-hint`,
    className: "field",
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div>
      <label htmlFor={id}>
        <code>{name}</code>
      </label>
      {options ? (
        <select {...props}>
          <option value="">(not sent)</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input {...props} type="text" required={place === "path"} autoComplete="off" spellCheck={false} />
      )}
      <p id={`${id}-hint`}>{hint}</p>
    </div>
  );
}

function BodyField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>Body</label>
      <textarea
        id={id}
        className="field font-mono"
        rows={Math.min(16, value.split("\n").length + 1)}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
