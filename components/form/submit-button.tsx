"use client";

import { type ReactNode, useContext } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { FormContext } from "./form-state";

interface Props {
  children: ReactNode;
  look?: ButtonLook;
  small?: boolean;
}

/** Submits its form; busy while the form is. */
export function SubmitButton({ children, look = "primary", small }: Props) {
  const { pending } = useContext(FormContext);
  return (
    <Button type="submit" look={look} small={small} pending={pending}>
      {children}
    </Button>
  );
}
