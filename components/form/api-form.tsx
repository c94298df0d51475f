"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Notice } from "@/components/ui/notice";
import { announce } from "@/components/ui/toast";
import { type Answer, callApi, type Problem } from "./call-api";
import { FormContext } from "./form-state";

interface Props<Data> {
  method: "POST" | "PUT" | "PATCH";
  path: string;
  /** Builds the body from the fields; all of them as strings if absent. */
  toBody?: (form: FormData) => unknown;
  /** Announced when it is done. The page is then reloaded, unless `onDone` returns false. */
  done?: string;
  onDone?: (data: Data) => unknown;
  /** Whether the fields keep their input instead of being emptied. */
  keeps?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * A form whose fields are sent to the account API. Faults are shown at their fields, and the first of them gets the
 * focus.
 */
export function ApiForm<Data>({
  method,
  path,
  toBody = fieldsOf,
  done,
  onDone,
  keeps = false,
  className,
  children,
}: Props<Data>) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending || !form.current) return;
    setPending(true);
    setProblem(undefined);
    const { data, problem: rejection }: Answer<Data> = await callApi<Data>(
      method,
      path,
      toBody(new FormData(form.current)),
    );
    setPending(false);
    setProblem(rejection);
    if (rejection) return;
    if (!keeps) form.current?.reset();
    if (done) announce(done);
    if (onDone?.(data as Data) !== false) router.refresh();
  };
  useEffect(() => focusFault(form.current, problem), [problem]);
  const rest = problem && !hasFieldFor(form.current, problem) ? problem.message : undefined;
  return (
    <FormContext value={{ pending, faults: problem?.fields ?? {} }}>
      {/* POST, in case the browser submits it itself: input must not end up in a URL. */}
      <form ref={form} method="post" onSubmit={submit} className={className} noValidate>
        {rest && <Notice tone="danger">{rest}</Notice>}
        {children}
      </form>
    </FormContext>
  );
}

const fieldsOf = (form: FormData): unknown => Object.fromEntries(form);

const hasFieldFor = (form: HTMLFormElement | null, { fields }: Problem): boolean =>
  Object.keys(fields).some((name) => form?.elements.namedItem(name));

function focusFault(form: HTMLFormElement | null, problem: Problem | undefined): void {
  if (!form || !problem) return;
  const faulty = [...form.elements].find(
    (element) => element instanceof HTMLElement && problem.fields[element.getAttribute("name") ?? ""],
  );
  (faulty instanceof HTMLElement ? faulty : form.querySelector<HTMLElement>("[role=alert]"))?.focus();
}
