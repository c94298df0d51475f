"use client";

import { KeyRound } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  title: string;
  /** What it is good for. */
  about: ReactNode;
  text: string;
  /** Names it, such as "key". */
  label: string;
  /** What can be done with it at once. */
  children?: ReactNode;
  onPutAway?: () => void;
}

/** A key, secret or link that was just created: the only place where it is ever shown. It gets the focus. */
export function ShownOnce({ title, about, text, label, children, onPutAway }: Props) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section
      aria-labelledby={id}
      className="mb-6 min-w-0 basis-full last:mb-0 rounded-lg border-2 border-accent bg-accent-soft p-4 sm:p-5"
    >
      <h3 id={id} ref={heading} tabIndex={-1} className="flex items-center gap-2.5 text-lg">
        <KeyRound size={20} aria-hidden="true" className="shrink-0 text-accent" />
        {title}
      </h3>
      <p className="wrap-anywhere mt-1 text-muted text-sm">{about}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3 rounded-md border border-line-strong bg-paper p-3">
        <code data-secret="" className="min-w-0 flex-[1_1_16rem] select-all break-all font-mono text-sm">
          {text}
        </code>
        <CopyButton text={text} label={label} look="button button-primary">
          Copy {label}
        </CopyButton>
      </div>
      {children}
      {onPutAway && (
        <Button onClick={onPutAway} className="mt-4">
          I have stored it
        </Button>
      )}
    </section>
  );
}
