"use client";

import { type ReactNode, useState } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { usePlainForms } from "./plain-form";

interface Props {
  label: string;
  /** Names the object for screen readers. */
  describes?: string | undefined;
  title: string;
  look?: ButtonLook;
  small?: boolean;
  /** Whether it is open initially without JavaScript, because its form has just been sent. */
  isOpen: boolean;
  onClosed?: () => void;
  /** The dialog's content. Without JavaScript there is no `close`. */
  children: (close?: () => void) => ReactNode;
}

/** A button that opens a dialog with a form. Without JavaScript, it unfolds at the bottom of the page. */
export function DialogButton({ label, describes, title, look = "plain", small, isOpen, onClosed, children }: Props) {
  const [open, setOpen] = useState(false);
  const plain = usePlainForms();
  const close = () => setOpen(false);
  const closed = () => {
    close();
    onClosed?.();
  };
  const name = describes && `${label} ${describes}`;
  return (
    <>
      <Button look={look} small={small} onClick={() => setOpen(true)} aria-label={name}>
        {label}
      </Button>
      <Dialog open={open} onClose={closed} title={title}>
        {children(close)}
      </Dialog>
      {plain && (
        <noscript>
          <details name="plain-dialog" open={isOpen} className="plain-dialog">
            <summary className={`button button-${look} ${small ? "button-small" : ""}`} aria-label={name}>
              {label}
            </summary>
            <section aria-label={title} className="plain-dialog-panel">
              <p className="font-medium text-lg">{title}</p>
              {children()}
              <p className="mt-4 text-sm">
                <a href={plain.back} className="link">
                  Cancel
                </a>
              </p>
            </section>
          </details>
        </noscript>
      )}
    </>
  );
}
