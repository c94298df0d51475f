"use client";

import { createContext } from "react";

/** What the fields of a form are told by it. */
export interface FormState {
  pending: boolean;
  /** By field name. */
  faults: Readonly<Record<string, string>>;
}

export const FormContext = createContext<FormState>({ pending: false, faults: {} });
