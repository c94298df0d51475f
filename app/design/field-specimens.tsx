"use client";

import { ChoiceField } from "@/components/form/choice-field";
import { FormContext } from "@/components/form/form-state";
import { PasswordField } from "@/components/form/password-field";
import { TextField } from "@/components/form/text-field";

const STATE = { pending: false, faults: { slug: "Use letters, digits and hyphens." }, typed: {} };
const LIFETIMES = [
  { value: "90", label: "in 90 days" },
  { value: "never", label: "never" },
];

/** Fields with their hints and a fault. */
export function FieldSpecimens() {
  return (
    <FormContext value={STATE}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="name" label="Name" hint="Where it is used." placeholder="laptop" />
        <TextField name="slug" label="Address" defaultValue="river levels" />
        <ChoiceField name="expires" label="Expires" choices={LIFETIMES} />
        <PasswordField name="password" label="Password" autoComplete="new-password" />
      </div>
    </FormContext>
  );
}
