"use client";

import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";

const CONFIRMED_MS = 1600;

interface Props {
  text: string;
  /** Names what is copied, such as "version id". */
  label: string;
  className?: string;
  /** Text next to the icon, with the style of a labelled button. */
  children?: ReactNode;
  look?: string;
}

const BARE =
  "inline-grid size-7 shrink-0 place-items-center rounded-sm text-faint hover:bg-accent-soft hover:text-accent";

/** Copies `text`. */
export function CopyButton({ text, label, className = "", children, look = BARE }: Props) {
  const [outcome, setOutcome] = useState<"idle" | "copied" | "failed">("idle");
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(done ? "copied" : "failed");
    setTimeout(() => setOutcome("idle"), CONFIRMED_MS);
  };
  const said = { idle: "", copied: "Copied", failed: "Copying failed. Select the text instead." }[outcome];
  return (
    <>
      <button
        type="button"
        onClick={copy}
        aria-label={children ? undefined : `Copy ${label}`}
        title={said || `Copy ${label}`}
        className={`needs-script ${look} ${className}`}
      >
        {outcome === "copied" ? (
          <Check size={15} aria-hidden="true" className={children ? "" : "text-accent"} />
        ) : (
          <Copy size={15} aria-hidden="true" />
        )}
        {children && outcome === "copied" ? "Copied" : children}
      </button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
