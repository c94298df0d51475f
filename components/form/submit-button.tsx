"use client";

import { type ReactNode, useContext } from "react";
import { FormContext } from "./form-state";

/** Sends the form that it stands in; busy while the form is. */
export function SubmitButton({ children, look = "button-primary" }: { children: ReactNode; look?: "button-primary" | "button-danger" | "" }) {
  const { pending } = useContext(FormContext);
  return (
    <button type="submit" aria-disabled={pending} className={`button ${look} ${pending ? "is-pending" : ""}`}>
      {children}
    </button>
  );
}
