"use client";

import { type ReactNode, useState } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { PlainDialog } from "./plain-dialog";
import { type PlainCall, useFormReply } from "./plain-form";

interface Props {
  label: string;
  describes?: string;
  title: string;
  look?: ButtonLook;
  small?: boolean;
  /** The call of the form inside. */
  call: PlainCall;
  /** The dialog's content; call `close` when its form is done. */
  children: (close: () => void) => ReactNode;
  /** The content without JavaScript, if it differs. */
  plain?: ReactNode;
}

/** A button that opens a dialog with a form, also without JavaScript. */
export function DialogButton({ label, describes, title, look, small, call, children, plain }: Props) {
  const [open, setOpen] = useState(false);
  const reply = useFormReply(call);
  const close = () => setOpen(false);
  return (
    <>
      <Button look={look} small={small} onClick={() => setOpen(true)} aria-label={describes && `${label} ${describes}`}>
        {label}
      </Button>
      <Dialog open={open} onClose={close} title={title}>
        {children(close)}
      </Dialog>
      <PlainDialog
        {...{ label, describes, title, look, small }}
        isOpen={reply?.problem !== undefined || reply?.data?.verdict !== undefined}
      >
        {plain ?? children(close)}
      </PlainDialog>
    </>
  );
}
