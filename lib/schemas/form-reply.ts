import type { ErrorCode } from "@/lib/kernel/errors";
import type { Typed } from "./form-bodies";

/** What came of a form that the browser sent by itself, as its page shows it. */
export interface FormReply {
  /** Which form: the call that it stands for, as `formName` writes it. */
  form: string;
  /** What was typed, without secrets. */
  typed: Typed;
  /** The names of its fields. */
  fields: readonly string[];
  /** Why it was rejected; absent where it was done. */
  problem?: {
    error: ErrorCode;
    message: string;
    details: readonly { pointer: string; message: string; did_you_mean?: string }[];
    /** Seconds after which it may be tried again; 0 where waiting helps nothing. */
    wait: number;
  };
  /** What is said when it is done. */
  done?: string;
  /** What the page shows of the call's reply. */
  data?: Readonly<Record<string, unknown>>;
}

/** The fields that say what a form is. */
export const FORM_FIELDS = {
  method: "form:method",
  path: "form:path",
  body: "form:body",
  /** The body as JSON text, of a form without fields. */
  json: "form:json",
  back: "form:back",
  leadsTo: "form:leads-to",
  done: "form:done",
} as const;

/** A form by its call. */
export const formName = (method: string, path: string, body: string): string => `${body} ${method} ${path}`;
