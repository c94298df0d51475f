"use client";

import { createContext } from "react";

/** What a form passes to its fields. */
export interface FormState {
  pending: boolean;
  /** By field name. */
  faults: Readonly<Record<string, string>>;
  /** What was typed before the page came back with the faults, by field name. */
  typed: Readonly<Record<string, string>>;
  /** What the service replied to it, once it has. */
  told?: Readonly<Record<string, unknown>> | undefined;
}

export const FormContext = createContext<FormState>({ pending: false, faults: {}, typed: {} });
