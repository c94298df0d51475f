"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { announce } from "@/components/ui/toast";
import { callApi, type Problem } from "./call-api";
import { PlainDialog } from "./plain-dialog";
import { PlainFields, useFormReply, usePlainForms } from "./plain-form";

interface Props {
  method?: "DELETE" | "POST" | "PATCH";
  path: string;
  body?: unknown;
  /** Label of the first button, such as "Revoke"; `describes` names the object for screen readers. */
  label: string;
  describes?: string;
  /** The question, such as "Revoke the key “notebook”?". */
  title: string;
  /** What is lost. */
  children: ReactNode;
  /** Label of the confirming button, such as "Revoke key". */
  confirm: string;
  done: string;
  /** The id of the element that gets the focus afterwards, when the row is gone; a heading with tabIndex -1. */
  focusAfter?: string;
  /** Where to go afterwards, instead of staying. */
  leadsTo?: string;
  /** The style of the confirming button; a warning if absent. */
  confirmLook?: "danger" | "primary";
}

/** A button for irreversible actions: says what is lost, asks for confirmation, then acts. */
export function ConfirmButton(props: Props) {
  const {
    method = "DELETE",
    path,
    body,
    label,
    describes,
    title,
    children,
    confirm,
    done,
    focusAfter,
    leadsTo,
  } = props;
  const { confirmLook = "danger" } = props;
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const isDone = useRef(false);
  const act = async () => {
    if (pending) return;
    setPending(true);
    const { problem: rejection } = await callApi(method, path, body);
    setPending(false);
    setProblem(rejection);
    if (rejection) return;
    if (leadsTo) return window.location.assign(leadsTo);
    isDone.current = true;
    setOpen(false);
    announce(done);
    router.refresh();
  };
  // the browser returns the focus to the button, whose row may soon disappear
  const closed = () => {
    setOpen(false);
    if (isDone.current && focusAfter) document.getElementById(focusAfter)?.focus();
  };
  const ask = () => {
    setProblem(undefined);
    isDone.current = false;
    setOpen(true);
  };
  const call = { method, path, json: body, leadsTo, done };
  const plain = usePlainForms();
  const rejected = useFormReply(call)?.problem;
  return (
    <>
      <Button small onClick={ask} aria-label={describes ? `${label} ${describes}` : undefined}>
        {label}
      </Button>
      <Dialog open={open} onClose={closed} title={title}>
        <div className="mt-2 space-y-2 text-muted text-sm">{children}</div>
        {problem && (
          <div className="mt-4">
            <Notice tone="danger">{problem.message}</Notice>
          </div>
        )}
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button look={confirmLook} onClick={act} pending={pending}>
            {confirm}
          </Button>
        </div>
      </Dialog>
      <PlainDialog label={label} describes={describes} title={title} small isOpen={rejected !== undefined}>
        <div className="mt-2 space-y-2 text-muted text-sm">{children}</div>
        {rejected && <Notice tone="danger">{rejected.message}</Notice>}
        <form method="post" action={plain?.action} className="mt-4">
          <PlainFields {...call} />
          <Button type="submit" look={confirmLook}>
            {confirm}
          </Button>
        </form>
      </PlainDialog>
    </>
  );
}
