"use client";

import { type ComponentProps, type ReactNode, useContext, useId } from "react";
import { FieldFrame } from "./field-frame";
import { FormContext } from "./form-state";

type Props = Omit<ComponentProps<"input">, "name" | "id"> & { name: string; label: ReactNode; hint?: ReactNode };

/** A labelled input, with a hint and, after an error, what is wrong with it. */
export function TextField({ name, label, hint, className = "", ...input }: Props) {
  const id = useId();
  const { faults, typed } = useContext(FormContext);
  const fault = faults[name];
  const before = input.type === "password" ? undefined : typed[name];
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      <input
        {...input}
        {...(before !== undefined && { defaultValue: before })}
        id={id}
        name={name}
        className={`field ${className}`}
        aria-invalid={fault ? true : undefined}
        aria-describedby={described || undefined}
      />
    </FieldFrame>
  );
}
