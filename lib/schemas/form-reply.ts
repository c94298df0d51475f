import type { ErrorCode } from "@/lib/kernel/errors";
import type { Typed } from "./form-bodies";

/** The result of a form that the browser submitted without script, as its page shows it. */
export interface FormReply {
  /** Identifies the form: the call that it makes, as `formName` writes it. */
  form: string;
  /** What was typed, without secrets. */
  typed: Typed;
  /** The names of its fields. */
  fields: readonly string[];
  /** Why it was rejected; absent if it succeeded. */
  problem?: {
    error: ErrorCode;
    message: string;
    details: readonly { pointer: string; message: string; did_you_mean?: string }[];
    /** Seconds after which it can be retried; 0 if waiting does not help. */
    wait: number;
  };
  /** The message on success. */
  done?: string;
  /** The part of the call's reply that the page shows. */
  data?: Readonly<Record<string, unknown>>;
}

/** The fields that identify a form. */
export const FORM_FIELDS = {
  method: "form:method",
  path: "form:path",
  body: "form:body",
  /** The body as JSON text, for a form without fields. */
  json: "form:json",
  back: "form:back",
  leadsTo: "form:leads-to",
  done: "form:done",
} as const;

/** The name of a form, from its call. */
export const formName = (method: string, path: string, body: string): string => `${body} ${method} ${path}`;
