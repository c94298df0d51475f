"use client";

import { type ComponentProps, type ReactNode, useContext, useId } from "react";
import { FieldFrame } from "./field-frame";
import { FormContext } from "./form-state";

interface Props extends Omit<ComponentProps<"select">, "name" | "id" | "children"> {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  choices: readonly { value: string; label: string }[];
}

/** A labelled choice of one among a few. */
export function ChoiceField({ name, label, hint, choices, ...select }: Props) {
  const id = useId();
  const { faults, typed } = useContext(FormContext);
  const fault = faults[name];
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      <select
        {...select}
        {...(select.value === undefined && typed[name] !== undefined && { defaultValue: typed[name] })}
        id={id}
        name={name}
        className="field"
        aria-invalid={fault ? true : undefined}
        aria-describedby={described || undefined}
      >
        {choices.map(({ value, label: shown }) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
