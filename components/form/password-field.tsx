"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useContext, useId, useState } from "react";
import { FieldFrame } from "./field-frame";
import { FormContext } from "./form-state";

interface Props {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  autoComplete: "current-password" | "new-password";
  minLength?: number;
}

/** A password field whose input can be revealed. */
export function PasswordField({ name, label, hint, ...input }: Props) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const fault = useContext(FormContext).faults[name];
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  const Icon = shown ? EyeOff : Eye;
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      <div className="relative">
        <input
          {...input}
          id={id}
          name={name}
          type={shown ? "text" : "password"}
          required
          maxLength={1024}
          spellCheck={false}
          autoCapitalize="none"
          className="field pr-11"
          aria-invalid={fault ? true : undefined}
          aria-describedby={described || undefined}
        />
        <button
          type="button"
          onClick={() => setShown(!shown)}
          aria-label={shown ? "Hide password" : "Show password"}
          className="needs-script absolute inset-y-0 right-0 grid w-10 place-items-center text-faint hover:text-accent"
        >
          <Icon size={17} aria-hidden="true" />
        </button>
      </div>
    </FieldFrame>
  );
}
