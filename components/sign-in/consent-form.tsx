"use client";

import { useState } from "react";
import { callApi } from "@/components/form/call-api";
import { ChoiceField } from "@/components/form/choice-field";
import { Button } from "@/components/ui/button";
import { EmailAddress } from "@/components/ui/email-address";
import { Notice } from "@/components/ui/notice";
import type { ClientStanding } from "@/lib/oauth/known-clients";
import { AskedFacts, AskedRights } from "./request-facts";

interface Props {
  /** The query string of the program's request. */
  request: string;
  /** What is known about the program. Its claimed home page is not shown because it is unverified. */
  program: ClientStanding & { goesTo: string; isLocal: boolean };
  rights: readonly { scope: string; words: string }[];
  workspaces: readonly { value: string; label: string }[];
  email: string;
}

type Decision = "allow" | "deny";

/** A program's request and the person's decision, which is sent back to the program. */
export function ConsentForm({ request, program, rights, workspaces, email }: Props) {
  const [pending, setPending] = useState<Decision>();
  const [problem, setProblem] = useState<string>();
  const decide = async (decision: Decision, form: HTMLFormElement | null) => {
    if (pending) return;
    setPending(decision);
    const workspace_id = form ? String(new FormData(form).get("workspace_id") ?? "") : "";
    const { data, problem: rejection } = await callApi<{ location: string }>("POST", "/api/account/agent-consent", {
      request,
      decision,
      workspace_id,
    });
    if (data) return window.location.assign(data.location); // remains busy while the browser leaves the page
    setPending(undefined);
    setProblem(rejection?.message);
  };
  return (
    <form
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        void decide("allow", event.currentTarget);
      }}
      className="grid gap-5"
    >
      {problem && <Notice tone="danger">{problem}</Notice>}
      {program.namedLike && (
        <Notice tone="danger" title={`This may not be ${program.namedLike}`}>
          The app uses this name, but nothing proves that it is the real one. The real one is described in a document
          that its maker publishes. Deny the request unless you just started it yourself and “Sends you to” is what you
          expect.
        </Notice>
      )}
      <AskedFacts rows={factsOf(program, email)} />
      <AskedRights rights={rights} />
      <ChoiceField name="workspace_id" label="Workspace" choices={workspaces} />
      {program.isLocal && (
        <Notice tone="info">
          Access goes to a program on this computer. Allow it only if you just started connecting one. Another program
          on this computer could have sent the request.
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" pending={pending === "allow"}>
          Allow
        </Button>
        <Button type="button" pending={pending === "deny"} onClick={() => void decide("deny", null)}>
          Deny
        </Button>
      </div>
      <p className="text-muted text-xs">
        You can disconnect it at any time under Settings, Access. It never sees your password.
      </p>
    </form>
  );
}

function proofOf({ provenBy, describedAt }: Props["program"]): { term: string; fact: string }[] {
  if (provenBy) return [{ term: "Proven", fact: provenBy }];
  return describedAt ? [{ term: "Described at", fact: describedAt }] : [];
}

const factsOf = (program: Props["program"], email: string) => [
  { term: "Sends you to", fact: program.isLocal ? `${program.goesTo}, on this computer` : program.goesTo },
  ...proofOf(program),
  { term: "Signed in as", fact: <EmailAddress text={email} /> },
];
