"use client";

import { type ReactNode, useContext } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { FormContext } from "./form-state";

/** Submits its form; busy while the form is. */
export function SubmitButton({ children, look = "primary" }: { children: ReactNode; look?: ButtonLook }) {
  const { pending } = useContext(FormContext);
  return (
    <Button type="submit" look={look} pending={pending}>
      {children}
    </Button>
  );
}
