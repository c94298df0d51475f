"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { announce } from "@/components/ui/toast";
import { callApi, type Problem } from "./call-api";

interface Props {
  method?: "DELETE" | "POST" | "PATCH";
  path: string;
  body?: unknown;
  /** On the button that asks, such as "Revoke"; `describes` says what, for who cannot see the row. */
  label: string;
  describes?: string;
  /** The question, such as "Revoke the key “notebook”?". */
  title: string;
  /** What is lost. */
  children: ReactNode;
  /** On the button that does it, such as "Revoke key". */
  confirm: string;
  done: string;
  /** The id of what has the focus afterwards, when the row is gone; a heading with tabIndex -1. */
  focusAfter?: string;
  /** Where to go instead of staying. */
  leadsTo?: string;
  /** The look of the button that does it; a warning when absent. */
  confirmLook?: "danger" | "primary";
}

/** A button for what cannot be undone: asks once, says what is lost, does it. */
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
    const { problem: refusal } = await callApi(method, path, body);
    setPending(false);
    setProblem(refusal);
    if (refusal) return;
    if (leadsTo) return window.location.assign(leadsTo);
    isDone.current = true;
    setOpen(false);
    announce(done);
    router.refresh();
  };
  // The browser gives the focus back to the button, whose row may be gone in a moment.
  const closed = () => {
    setOpen(false);
    if (isDone.current && focusAfter) document.getElementById(focusAfter)?.focus();
  };
  const ask = () => {
    setProblem(undefined);
    isDone.current = false;
    setOpen(true);
  };
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
    </>
  );
}
