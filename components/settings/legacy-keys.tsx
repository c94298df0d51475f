import { ConfirmButton } from "@/components/form/confirm-button";
import { RelativeTime } from "@/components/relative-time";
import type { Account } from "@/lib/schemas/account";
import type { AccessKey } from "@/lib/schemas/workspace";
import { KeyName } from "./key-table";

type Workspace = Account["workspaces"][number];

const SUBSCRIPTIONS = {
  active: "The subscription is active.",
  past_due: "A payment of the subscription is overdue.",
  canceled: "The subscription has ended.",
} as const;

/** Keys of subscriptions, and how the subscription stands. */
export function LegacyKeys({ keys, path, workspace, now }: { keys: readonly AccessKey[]; path: string; workspace: Workspace; now: Date }) {
  return (
    <>
      <p className="max-w-prose text-muted text-sm">
        {workspace.subscription ? SUBSCRIPTIONS[workspace.subscription] : "The workspace has no subscription."} The plan is {workspace.plan}. These keys were
        issued with a subscription and belong to the workspace as such. The public v2 routes refuse them with 401{" "}
        <code className="font-mono text-ink text-xs">key_wrong_type</code>: make a use key for those.
      </p>
      <table className="fact-list mt-3">
        <caption className="sr-only">Legacy keys</caption>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">State</th>
            <th scope="col" className="hidden sm:table-cell">
              Created
            </th>
            <th scope="col" className="hidden sm:table-cell">
              Last used
            </th>
            <th scope="col">
              <span className="sr-only">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <LegacyRow key={key.id} entry={key} path={path} isOwner={workspace.role === "owner"} now={now} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function LegacyRow({ entry, path, isOwner, now }: { entry: AccessKey; path: string; isOwner: boolean; now: Date }) {
  const isOver = entry.expires_at !== null && Date.parse(entry.expires_at) <= now.getTime();
  return (
    <tr>
      <th scope="row" className="w-full">
        <KeyName entry={entry} />
      </th>
      <td className="whitespace-nowrap">{entry.revoked_at ? "revoked" : isOver ? "expired" : "working"}</td>
      <td className="hidden whitespace-nowrap sm:table-cell">
        <RelativeTime at={entry.created_at} now={now} />
      </td>
      <td className="hidden whitespace-nowrap sm:table-cell">
        {entry.last_used_at ? <RelativeTime at={entry.last_used_at} now={now} /> : <span className="text-faint">never</span>}
      </td>
      <td className="text-right">
        {isOwner && !entry.revoked_at && !isOver && (
          <ConfirmButton
            path={`${path}/keys/${entry.id}`}
            label="Revoke"
            describes={entry.name}
            title={`Revoke “${entry.name}”?`}
            confirm="Revoke key"
            done={`The key “${entry.name}” is revoked.`}
            focusAfter="legacy"
          >
            <p>Whatever sends this key is refused from its next request on. Legacy keys are no longer issued: there will be no other in its place.</p>
          </ConfirmButton>
        )}
      </td>
    </tr>
  );
}
