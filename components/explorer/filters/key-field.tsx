"use client";

import Link from "next/link";
import { type SubmitEvent, useId, useState } from "react";
import type { Problem } from "@/components/explorer/answer/problem";
import { keyKindOf } from "@/lib/auth/key-form";
import { formatCount } from "@/lib/kernel/format";

interface Props {
  hasKey: boolean;
  limits: { anonymousRows: number; keyRows: number };
  /** Why the service rejects a key; undefined if it accepts it. */
  check: (key: string) => Promise<Problem | undefined>;
  onKey: (key: string | undefined) => void;
  onClose: () => void;
}

/**
 * Accepts a use key for as long as the page is open. It is never put into a URL, storage, or a form field that browsers
 * remember.
 */
export function KeyField({ hasKey, limits, check, onKey, onClose }: Props) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const [isPending, setPending] = useState(false);
  const id = useId();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isPending) return;
    const key = text.trim();
    const typed = keyFault(key);
    setFault(typed);
    if (typed) return;
    setPending(true);
    const rejected = await check(key);
    setPending(false);
    if (rejected) return setFault(`The service doesn’t accept this key. ${rejected.message}`);
    setText("");
    onKey(key);
  };
  return (
    <form onSubmit={submit} className="editor" aria-label="API key" autoComplete="off" noValidate>
      <p className="max-w-prose text-muted text-sm">
        Without a key, a page holds up to {formatCount(limits.anonymousRows)} rows. With an API key it holds up to{" "}
        {formatCount(limits.keyRows)}, and you have your own quota. The key isn’t saved and is forgotten when you leave
        this page.{" "}
        <Link className="link" prefetch={false} href="/settings/access">
          Create a key
        </Link>
      </p>
      {hasKey ? (
        <p className="mt-3 flex flex-wrap items-center gap-3 text-sm">
          Your API key is in use.
          <button type="button" className="button button-small" onClick={() => onKey(undefined)}>
            Forget the key
          </button>
          <button type="button" className="button button-small" onClick={onClose}>
            Close
          </button>
        </p>
      ) : (
        <div className="mt-3 flex flex-wrap items-start gap-2">
          <div className="min-w-0 flex-1 sm:max-w-md">
            <input
              type="password"
              className="field font-mono"
              aria-label="API key"
              placeholder="svc_use_…"
              autoComplete="off"
              data-1p-ignore=""
              spellCheck={false}
              value={text}
              aria-invalid={fault !== "" || undefined}
              aria-describedby={id}
              onChange={(event) => setText(event.target.value)}
            />
            <p id={id} role="alert" className="mt-1 text-danger text-sm">
              {fault}
            </p>
          </div>
          <button type="submit" className="button button-primary" disabled={isPending}>
            {isPending ? "Checking…" : "Use key"}
          </button>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </div>
      )}
    </form>
  );
}

/** What is wrong with a typed key; empty if its checksum is valid. */
function keyFault(key: string): string {
  const kind = keyKindOf(key);
  if (kind === "use") return "";
  if (kind !== undefined) return "This key can’t read data. Enter one that starts with svc_use_.";
  return key.startsWith("svc_use_")
    ? "This key is mistyped or incomplete. Copy it again."
    : "Enter an API key: svc_use_ followed by 46 letters and digits.";
}
