"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";

const CONFIRMED_MS = 1600;

/** Copies `text`; `label` says what it is, such as "version id". */
export function CopyButton({ text, label, className = "" }: { text: string; label: string; className?: string }) {
  const [outcome, setOutcome] = useState<"idle" | "copied" | "failed">("idle");
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(done ? "copied" : "failed");
    setTimeout(() => setOutcome("idle"), CONFIRMED_MS);
  };
  const said = { idle: "", copied: "Copied", failed: "Copying was refused: select the text instead" }[outcome];
  return (
    <>
      <button
        type="button"
        onClick={copy}
        aria-label={`Copy ${label}`}
        title={said || `Copy ${label}`}
        className={`needs-script inline-grid size-7 shrink-0 place-items-center rounded-sm text-faint hover:bg-accent-soft hover:text-accent ${className}`}
      >
        {outcome === "copied" ? <Check size={15} aria-hidden="true" className="text-accent" /> : <Copy size={15} aria-hidden="true" />}
      </button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
