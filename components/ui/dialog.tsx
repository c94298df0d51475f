"use client";

import { X } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";

/** A modal question or form. The browser keeps the focus inside, returns it afterwards, and closes on Escape. */
export function Dialog({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  // Escape closes through `open`. On its own, the browser would return the focus first and notify us later, when the
  // dialog may have been opened again.
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  const closed = () => {
    if (!dialog.current?.open) onClose();
  };
  return (
    <dialog ref={dialog} onCancel={cancel} onClose={closed} aria-labelledby={id} className="dialog">
      {open && (
        <div className="p-5 sm:p-6">
          <div className="flex items-start justify-between gap-4">
            <h2 id={id} className="min-w-0 text-lg">
              {title}
            </h2>
            <button
              type="button"
              onClick={onClose}
              aria-label="Close"
              className="-mt-1 -mr-2 grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-surface"
            >
              <X size={18} aria-hidden="true" />
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
