"use client";

import { type ReactNode, useRef } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { ApiForm } from "./api-form";
import { DialogButton } from "./dialog-button";
import { type PlainCall, useFormReply } from "./plain-form";
import { SubmitButton } from "./submit-button";

interface Action extends PlainCall {
  /** The button, such as "Revoke". */
  label: string;
}

interface Question extends Action {
  /** The question, such as "Revoke “laptop”?". */
  title: string;
  /** Names the object for screen readers. */
  describes?: string;
  /** What follows from it. */
  children: ReactNode;
  /** Fields to fill in first. */
  fields?: ReactNode;
  /** The answering button, such as "Revoke key"; the label again if absent. */
  confirm?: string;
  look?: ButtonLook;
  /** The id of the element that gets the focus afterwards, when the row is gone; a heading with tabIndex -1. */
  focusAfter?: string;
  /** Whether the dialog stays open afterwards, to show the result. */
  stays?: true;
}

/** A button for one call of the account API. With a title, it first says what follows and asks, in a dialog. */
export const ActionButton = (action: Action | Question) =>
  "title" in action ? (
    <AskingButton {...action} />
  ) : (
    <ApiForm body="none" {...action}>
      <SubmitButton look="plain" small>
        {action.label}
      </SubmitButton>
    </ApiForm>
  );

function AskingButton({ label, title, describes, children, fields, focusAfter, stays, ...rest }: Question) {
  const { confirm = label, look = "danger", ...call } = { body: "none" as const, ...rest };
  const reply = useFormReply(call);
  const isDone = useRef(false);
  // the browser returns the focus to the button, whose row may soon disappear
  const closed = () => {
    if (isDone.current && focusAfter) document.getElementById(focusAfter)?.focus();
    isDone.current = false;
  };
  return (
    <DialogButton
      {...{ label, describes, title }}
      small
      isOpen={reply !== undefined && (stays || reply.problem !== undefined)}
      onClosed={closed}
    >
      {(close) => (
        <ApiForm
          {...call}
          onDone={() => {
            isDone.current = true;
            if (!stays) close?.();
          }}
          keeps
          className="mt-2 space-y-4"
        >
          <div className="space-y-2 text-muted text-sm">{children}</div>
          {fields}
          <div className="flex flex-wrap justify-end gap-3 pt-2">
            {close && <Button onClick={close}>Cancel</Button>}
            <SubmitButton look={look}>{confirm}</SubmitButton>
          </div>
        </ApiForm>
      )}
    </DialogButton>
  );
}
