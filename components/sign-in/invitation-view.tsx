"use client";

import { type ReactNode, useEffect, useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { callApi } from "@/components/form/call-api";
import { SubmitButton } from "@/components/form/submit-button";
import { LinkButton } from "@/components/ui/button";
import { EmailAddress } from "@/components/ui/email-address";
import { Notice } from "@/components/ui/notice";
import type { InvitedTo } from "@/lib/schemas/workspace";
import { useLinkParameters } from "./link-token";

const KEPT = "invitation";
const HERE = "/invitation";
const ONWARD = `callbackUrl=${encodeURIComponent(HERE)}`;

/**
 * The invitation behind a link, and how to accept it after signing in. `signedInAs` is null for visitors who are not.
 */
export function InvitationView({ signedInAs }: { signedInAs: string | null }) {
  const token = useToken();
  const [invited, setInvited] = useState<InvitedTo>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!token) return;
    void callApi<InvitedTo>("POST", "/api/account/invitation", { token }).then(({ data, problem: rejection }) => {
      setInvited(data);
      setProblem(rejection?.message);
    });
  }, [token]);
  if (token === null)
    return <Notice tone="danger">This link is incomplete. Open it again exactly as you received it.</Notice>;
  if (problem) return <Notice tone="danger">{problem}</Notice>;
  if (!token || !invited) return <Frame />;
  return (
    <>
      <Frame invited={invited} />
      {signedInAs ? <Accept token={token} email={signedInAs} /> : <SignInFirst />}
    </>
  );
}

/** The token from the URL, kept in this tab while the person signs in. */
function useToken(): string | null | undefined {
  const given = useLinkParameters()?.get("token");
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    if (given === undefined) return;
    if (given) sessionStorage.setItem(KEPT, given);
    setToken(given ?? sessionStorage.getItem(KEPT));
  }, [given]);
  return token;
}

/** The same height before and after the reply arrives. */
function Frame({ invited }: { invited?: InvitedTo }) {
  const rows: [string, ReactNode][] = [
    ["Workspace", invited?.workspace.name],
    ["Your role", invited?.role === "owner" ? "an owner" : "a member"],
    ["Invited by", invited?.invited_by ? <EmailAddress key="by" text={invited.invited_by} /> : "a former member"],
  ];
  return (
    <dl aria-busy={!invited} className="divide-y divide-line border-line border-y text-sm">
      {rows.map(([term, fact]) => (
        <div key={term} className="flex gap-4 py-2.5">
          <dt className="w-24 shrink-0 text-muted">{term}</dt>
          <dd className="min-w-0 break-words font-medium">{invited ? fact : "…"}</dd>
        </div>
      ))}
    </dl>
  );
}

function Accept({ token, email }: { token: string; email: string }) {
  return (
    <>
      <ApiForm<{ workspace_id: string }>
        method="POST"
        path="/api/account/invitation/accept"
        toBody={() => ({ token })}
        onDone={({ workspace_id: id }) => {
          sessionStorage.removeItem(KEPT);
          window.location.assign(`/settings/workspace?workspace=${id}`);
          return false;
        }}
        className="mt-6 grid gap-4"
      >
        <SubmitButton>Accept</SubmitButton>
      </ApiForm>
      <form method="post" action="/api/auth/signout" className="mt-5 text-muted text-sm">
        <input type="hidden" name="callbackUrl" value={HERE} />
        You are signed in as{" "}
        <strong className="break-words font-medium text-ink">
          <EmailAddress text={email} />
        </strong>
        .{" "}
        <button type="submit" className="link">
          Use another account
        </button>
      </form>
    </>
  );
}

function SignInFirst() {
  return (
    <div className="mt-6 grid gap-3">
      <LinkButton href={`/sign-in?${ONWARD}`} look="primary">
        Sign in to accept
      </LinkButton>
      <LinkButton href={`/sign-up?${ONWARD}`}>Sign up</LinkButton>
      <p className="text-muted text-xs">
        Keep the link until you have accepted the invitation. If you confirm your email address first, you will need it
        again.
      </p>
    </div>
  );
}
