"use client";

import { createContext } from "react";

/** What a form passes to its fields. */
export interface FormState {
  pending: boolean;
  /** By field name. */
  faults: Readonly<Record<string, string>>;
}

export const FormContext = createContext<FormState>({ pending: false, faults: {} });
