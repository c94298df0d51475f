"use client";

import { TextField } from "@/components/form/text-field";
import type { SecretKind } from "@/lib/schemas/secret";
import { SECRET_FORMS } from "@/lib/schemas/secret-forms";

/** The fields of a credential. `field` is the header or parameter that it was sent in so far. */
export function SecretFields({ kind, field }: { kind: SecretKind; field?: string | null }) {
  const { use, fields } = SECRET_FORMS[kind];
  return (
    <>
      <p className="text-muted text-sm">{use}</p>
      {fields.map(({ name, label, isSecret, optional, keepsEmpty, placeholder, hint }) => (
        <TextField
          key={`${kind}-${name}`}
          name={name}
          label={optional && !keepsEmpty ? `${label} (optional)` : label}
          type={isSecret ? "password" : "text"}
          placeholder={placeholder}
          hint={hint}
          defaultValue={name === "field" && field ? field : undefined}
          required={!optional}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-1p-ignore=""
          data-lpignore="true"
        />
      ))}
    </>
  );
}
