"use client";

import { type ReactNode, useState } from "react";
import { callApi } from "@/components/form/call-api";
import { PlainFields, useFormReply, usePlainForms } from "@/components/form/plain-form";
import { Button, type ButtonLook } from "@/components/ui/button";
import { announce } from "@/components/ui/toast";

interface Props {
  path: string;
  body?: unknown;
  children: ReactNode;
  /** The success message; absent if the reply names a page to continue to. */
  done?: string;
  look?: ButtonLook;
  small?: boolean;
}

/** A button for one API call: it shows the outcome, or opens the reply's `url`. */
export function PostButton({ path, body, children, done, look, small }: Props) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const post = async () => {
    if (pending) return;
    setPending(true);
    const { data, problem: rejection } = await callApi<{ url?: string }>("POST", path, body);
    if (data?.url) return window.location.assign(data.url);
    setPending(false);
    setProblem(rejection?.message);
    if (!rejection && done) announce(done);
  };
  const call = { method: "POST", path, json: body, done };
  const plain = usePlainForms();
  const reply = useFormReply(call);
  const said = problem ?? reply?.problem?.message;
  return (
    <>
      <Button look={look} small={small} onClick={post} pending={pending}>
        {children}
      </Button>
      <noscript>
        <form method="post" action={plain?.action}>
          <PlainFields {...call} />
          <Button type="submit" look={look} small={small}>
            {children}
          </Button>
        </form>
      </noscript>
      {typeof reply?.data?.url === "string" && (
        <p className="mt-2 text-sm">
          <a href={reply.data.url} className="link">
            Continue
          </a>
        </p>
      )}
      {said && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {said}
        </p>
      )}
    </>
  );
}
