"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Notice } from "@/components/ui/notice";
import { announce } from "@/components/ui/toast";
import { formBody, typedOf } from "@/lib/schemas/form-bodies";
import type { FormReply } from "@/lib/schemas/form-reply";
import { callApi, type Problem, problemOf } from "./call-api";
import { FormContext } from "./form-state";
import { type PlainCall, PlainFields, useFormReply, usePlainForms } from "./plain-form";

interface Props<Data> extends PlainCall {
  /** The body of a form that requires JavaScript; all fields as strings if absent. */
  toBody?: (form: FormData) => unknown;
  /** The page is reloaded afterwards, unless this returns false. */
  onDone?: ((data: Data) => unknown) | undefined;
  /** Whether the fields keep their input instead of being emptied. */
  keeps?: boolean;
  className?: string;
  children: ReactNode;
}

type Told = NonNullable<FormReply["data"]>;

/**
 * A form whose fields are sent to the account API. Faults are shown at their fields, and the first of them gets the
 * focus.
 */
export function ApiForm<Data>({
  method,
  path,
  body,
  only = {},
  json,
  toBody = (form) => json ?? (body ? formBody(body).body(typedOf(form), new Date()) : Object.fromEntries(form)),
  done,
  onDone,
  leadsTo,
  keeps = false,
  className,
  children,
}: Props<Data>) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const plain = usePlainForms();
  const call: PlainCall = { method, path, body, only, json, leadsTo, done };
  const reply = useFormReply(call);
  const [problem, setProblem] = useState<Problem | undefined>(() => repliedProblem(reply));
  const [told, setTold] = useState(reply?.data);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending || !form.current) return;
    setPending(true);
    setProblem(undefined);
    setTold(undefined);
    const { data, problem: rejection } = await callApi<Told>(method, path, toBody(new FormData(form.current)));
    setPending(false);
    setProblem(rejection);
    if (rejection) return;
    if (!keeps) form.current?.reset();
    const next = leadsTo ?? (body && formBody(body).page?.(data));
    if (next) return window.location.assign(next);
    setTold(data);
    if (done) announce(done);
    if (onDone?.(data as Data) !== false) router.refresh();
  };
  useEffect(() => focusFault(form.current, problem), [problem]);
  const rest = problem && !hasFieldFor(form.current, problem, reply?.fields) ? problem.message : undefined;
  return (
    <FormContext value={{ pending, faults: problem?.fields ?? {}, typed: reply?.typed ?? {}, told }}>
      {/* POST, in case the browser submits it itself: input must not end up in a URL. */}
      <form ref={form} method="post" action={body && plain?.action} onSubmit={submit} className={className} noValidate>
        {body && <PlainFields {...call} />}
        {Object.entries(only).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {rest && <Notice tone="danger">{rest}</Notice>}
        {children}
      </form>
    </FormContext>
  );
}

function repliedProblem(reply: FormReply | undefined): Problem | undefined {
  if (!reply?.problem) return undefined;
  const { wait, ...rejection } = reply.problem;
  return problemOf(rejection, new Headers(wait > 0 ? { "retry-after": String(wait) } : {}));
}

/** Before the form is mounted, `sent` names its fields. */
const hasFieldFor = (form: HTMLFormElement | null, { fields }: Problem, sent: readonly string[] = []): boolean =>
  Object.keys(fields).some((name) => (form ? form.elements.namedItem(name) : sent.includes(name)));

function focusFault(form: HTMLFormElement | null, problem: Problem | undefined): void {
  if (!form || !problem) return;
  const faulty = [...form.elements].find(
    (element) => element instanceof HTMLElement && problem.fields[element.getAttribute("name") ?? ""],
  );
  (faulty instanceof HTMLElement ? faulty : form.querySelector<HTMLElement>("[role=alert]"))?.focus();
}
