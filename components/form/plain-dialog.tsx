"use client";

import type { ReactNode } from "react";
import type { ButtonLook } from "@/components/ui/button";
import { usePlainForms } from "./plain-form";

interface Props {
  label: ReactNode;
  /** Names the object for screen readers. */
  describes?: string | undefined;
  title: string;
  look?: ButtonLook | undefined;
  small?: boolean | undefined;
  /** Whether it is open initially, because its form has just been sent. */
  isOpen: boolean;
  children: ReactNode;
}

/** A dialog for browsers without JavaScript, which unfolds at the bottom of the page. */
export function PlainDialog({ label, describes, title, look = "plain", small, isOpen, children }: Props) {
  const forms = usePlainForms();
  if (!forms) return null;
  return (
    <noscript>
      <details name="plain-dialog" open={isOpen} className="plain-dialog">
        <summary
          className={`button button-${look} ${small ? "button-small" : ""}`}
          aria-label={describes === undefined ? undefined : `${label} ${describes}`}
        >
          {label}
        </summary>
        <section aria-label={title} className="plain-dialog-panel">
          <p className="font-medium text-lg">{title}</p>
          {children}
          <p className="mt-4 text-sm">
            <a href={forms.back} className="link">
              Cancel
            </a>
          </p>
        </section>
      </details>
    </noscript>
  );
}
