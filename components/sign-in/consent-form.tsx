"use client";

import { useState } from "react";
import { callApi } from "@/components/form/call-api";
import { ChoiceField } from "@/components/form/choice-field";
import { Button } from "@/components/ui/button";
import { EmailAddress } from "@/components/ui/email-address";
import { Notice } from "@/components/ui/notice";
import { AskedFacts, AskedRights } from "./asked-facts";

interface Props {
  /** The query string that the program came with. */
  request: string;
  /**
   * `describedAt`: the verified site whose document describes the program. The home page that a program claims is not
   * shown, because nobody has verified it.
   */
  program: { describedAt: string | null; goesTo: string; isLocal: boolean };
  rights: readonly { scope: string; words: string }[];
  workspaces: readonly { value: string; label: string }[];
  email: string;
}

type Decision = "allow" | "deny";

/** A program's request and the person's decision, which returns to the program. */
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
    if (data) return window.location.assign(data.location); // stays busy: the page is being left
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
      <AskedFacts rows={factsOf(program, email)} />
      <AskedRights rights={rights} />
      <ChoiceField name="workspace_id" label="In the workspace" choices={workspaces} />
      {program.isLocal && (
        <Notice tone="info">
          Access goes to a program on this computer. Allow it only if you have just started connecting one: another
          program here could have sent the request.
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

const factsOf = (program: Props["program"], email: string) => [
  { term: "Sends you to", fact: program.isLocal ? `${program.goesTo}, on this computer` : program.goesTo },
  ...(program.describedAt ? [{ term: "Described at", fact: program.describedAt }] : []),
  { term: "You are", fact: <EmailAddress text={email} /> },
];
