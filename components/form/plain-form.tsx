"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { FormBodyName } from "@/lib/schemas/form-bodies";
import { FORM_FIELDS, type FormReply, formName } from "@/lib/schemas/form-reply";

/** How a page's forms work without JavaScript. */
export interface PlainForms {
  /** The URL that they are posted to. */
  action: string;
  /** The page that they return to. */
  back: string;
  /** The outcome of the last one sent. */
  reply: FormReply | undefined;
}

const PlainFormContext = createContext<PlainForms | undefined>(undefined);

/** Makes the forms inside work without JavaScript. */
export const PlainFormsOf = ({ value, children }: { value: PlainForms; children: ReactNode }) => (
  <PlainFormContext value={value}>{children}</PlainFormContext>
);

/** Undefined where forms require JavaScript. */
export const usePlainForms = (): PlainForms | undefined => useContext(PlainFormContext);

/** The call that a form makes, and what its page says and does on success. */
export interface PlainCall {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** How the fields become a body; absent if the form requires JavaScript. */
  body?: FormBodyName | undefined;
  /** Fields without input that tell the form from others of the same call. */
  only?: Readonly<Record<string, string>> | undefined;
  /** The body of a form without fields. */
  json?: unknown;
  /** Where to go on success, instead of staying. */
  leadsTo?: string | undefined;
  /** Announced on success. */
  done?: string | undefined;
}

/** The outcome of this form, if the browser has just submitted it without JavaScript. */
export function useFormReply({ method, path, body = "none", only = {} }: PlainCall): FormReply | undefined {
  const reply = usePlainForms()?.reply;
  if (reply?.form !== formName(method, path, body)) return undefined;
  return Object.entries(only).every(([name, value]) => reply.typed[name] === value) ? reply : undefined;
}

/** Hidden fields that identify the form. */
export function PlainFields({ method, path, body = "none", json, leadsTo, done }: PlainCall) {
  const forms = usePlainForms();
  if (!forms) return null;
  const fields: Record<string, string | undefined> = {
    [FORM_FIELDS.method]: method,
    [FORM_FIELDS.path]: path,
    [FORM_FIELDS.body]: body,
    [FORM_FIELDS.json]: json === undefined ? undefined : JSON.stringify(json),
    [FORM_FIELDS.back]: forms.back,
    [FORM_FIELDS.leadsTo]: leadsTo,
    [FORM_FIELDS.done]: done || undefined,
  };
  return Object.entries(fields).map(
    ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
  );
}
