import { ChoiceField } from "@/components/form/choice-field";
import { Button } from "@/components/ui/button";
import { EmailAddress } from "@/components/ui/email-address";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { DeviceRequest } from "@/lib/schemas/device";
import { AskedFacts, AskedRights } from "./request-facts";

interface Props {
  request: DeviceRequest;
  rights: readonly { scope: string; words: string }[];
  workspaces: readonly { value: string; label: string }[];
  email: string;
  /** Proves that the form was sent from this page. */
  token: string;
  problem?: string | undefined;
  now: Date;
}

/** A command line's request and the person's decision: a plain form that returns to this page. */
export function DeviceAnswerForm({ request, rights, workspaces, email, token, problem, now }: Props) {
  return (
    <form method="post" action="/device/answer" className="grid gap-5">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <p className="rounded-md bg-surface px-3 py-4 text-center">
        <span className="block text-muted text-xs">Your terminal must show this code</span>
        <code className="mt-1 block font-medium font-mono text-2xl tracking-widest">{request.user_code}</code>
      </p>
      <Notice tone="warning" title="Continue only if you started this yourself">
        Nobody has a reason to send you a code or a link to this page. Anyone who does is trying to do what is listed
        below in your name.
      </Notice>
      <AskedFacts rows={factsOf(request, email, now)} />
      <AskedRights rights={rights} />
      <ChoiceField name="workspace_id" label="Workspace" choices={workspaces} />
      <input type="hidden" name="user_code" value={request.user_code} />
      <input type="hidden" name="token" value={token} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" name="decision" value="allow">
          Allow
        </Button>
        <Button type="submit" name="decision" value="refuse">
          Deny
        </Button>
      </div>
      <p className="text-muted text-xs">
        It stays signed in for 180 days. You can revoke it at any time under Settings, Access.
      </p>
    </form>
  );
}

const factsOf = ({ name, asked_at: at, same_address: same }: DeviceRequest, email: string, now: Date) => [
  {
    term: "Device",
    fact: (
      <>
        {name ?? "Unnamed device"}
        {name && <span className="block font-normal text-muted text-xs">This name has not been verified.</span>}
      </>
    ),
  },
  { term: "Asked", fact: <RelativeTime at={at} now={now} /> },
  ...(same === null
    ? []
    : [{ term: "From", fact: same ? "your own IP address" : "a different IP address from yours" }]),
  { term: "Signed in as", fact: <EmailAddress text={email} /> },
];
