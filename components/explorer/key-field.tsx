"use client";

import Link from "next/link";
import { type SubmitEvent, useId, useState } from "react";
import { formatCount } from "@/lib/format";

const KEY = /^svc_use_[0-9A-Za-z]{46}$/;

interface Props {
  hasKey: boolean;
  limits: { anonymousRows: number; keyRows: number };
  onKey: (key: string | undefined) => void;
  onClose: () => void;
}

/**
 * Takes a use key for as long as the page is open: it stands in no address, no storage and no form that a browser
 * remembers.
 */
export function KeyField({ hasKey, limits, onKey, onClose }: Props) {
  const [text, setText] = useState("");
  const [isChecked, setChecked] = useState(false);
  const id = useId();
  const isGood = KEY.test(text.trim());
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isGood) return;
    setText("");
    onKey(text.trim());
  };
  return (
    <form onSubmit={submit} className="editor" aria-label="Use key" autoComplete="off" noValidate>
      <p className="max-w-prose text-muted text-sm">
        Without a key an answer has up to {formatCount(limits.anonymousRows)} rows. With a use key it has up to{" "}
        {formatCount(limits.keyRows)}, and your own allowance. The key stays in this page's memory: it is stored
        nowhere, and gone when you leave.{" "}
        <Link className="link" prefetch={false} href="/settings/access">
          Create one
        </Link>
      </p>
      {hasKey ? (
        <p className="mt-3 flex flex-wrap items-center gap-3 text-sm">
          Your key is in use.
          <button type="button" className="button button-small" onClick={() => onKey(undefined)}>
            Forget it
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
              aria-label="Use key"
              placeholder="svc_use_…"
              autoComplete="off"
              data-1p-ignore=""
              spellCheck={false}
              value={text}
              aria-invalid={(isChecked && !isGood) || undefined}
              aria-describedby={id}
              onChange={(event) => setText(event.target.value)}
            />
            <p id={id} role="alert" className="mt-1 text-danger text-sm">
              {isChecked && !isGood && "A use key is svc_use_ and 46 letters and digits."}
            </p>
          </div>
          <button type="submit" className="button button-primary">
            Use it
          </button>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </div>
      )}
    </form>
  );
}
