"use client";

import { type ReactNode, useState } from "react";
import { announce } from "@/components/form/announcer";
import { callApi } from "@/components/form/call-api";

interface Props {
  path: string;
  body?: unknown;
  children: ReactNode;
  /** What is said when it is done; absent where the reply names a page to go on to. */
  done?: string;
  look?: string;
}

/** A button for one call: it says how that went, or goes where the reply's `url` leads. */
export function PostButton({ path, body, children, done, look = "" }: Props) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const post = async () => {
    if (pending) return;
    setPending(true);
    const { data, problem: refusal } = await callApi<{ url?: string }>("POST", path, body);
    if (data?.url) return window.location.assign(data.url);
    setPending(false);
    setProblem(refusal?.message);
    if (!refusal && done) announce(done);
  };
  return (
    <>
      <button type="button" onClick={post} aria-disabled={pending} className={`button needs-script ${look} ${pending ? "is-pending" : ""}`}>
        {children}
      </button>
      {problem && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {problem}
        </p>
      )}
    </>
  );
}
