import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Account } from "@/lib/schemas/account";
import type { AccessKey } from "@/lib/schemas/workspace";
import { KeyName, LastUsed } from "./key-table";
import { RevokeKeyButton } from "./revoke-key";

type Workspace = Account["workspaces"][number];

const SUBSCRIPTIONS = {
  active: "The subscription is active.",
  past_due: "A subscription payment is overdue.",
  canceled: "The subscription has ended.",
} as const;

/** Keys of subscriptions, and how the subscription stands. */
export function LegacyKeys({
  keys,
  path,
  workspace,
  now,
}: {
  keys: readonly AccessKey[];
  path: string;
  workspace: Workspace;
  now: Date;
}) {
  return (
    <>
      <p className="max-w-prose text-muted text-sm">
        {workspace.subscription ? SUBSCRIPTIONS[workspace.subscription] : "The workspace has no subscription."} The plan
        is {workspace.plan}. These keys were issued with a subscription and belong to the workspace. The public v2
        routes reject them with 401 <code className="font-mono text-ink text-xs">key_wrong_type</code>. Create a use key
        for those routes.
      </p>
      <div className="mt-3">
        <DataTable
          label="Legacy keys"
          columns={columnsOf(path, workspace.role === "owner", now)}
          rows={keys}
          keyOf={({ id }) => id}
        />
      </div>
    </>
  );
}

const isOver = ({ expires_at: at }: AccessKey, now: Date): boolean => at !== null && Date.parse(at) <= now.getTime();

const columnsOf = (path: string, isOwner: boolean, now: Date): readonly DataColumn<AccessKey>[] => [
  { id: "key", head: "Key", isRest: true, cell: (key) => <KeyName entry={key} /> },
  {
    id: "state",
    head: "State",
    cell: (key) => (key.revoked_at ? "revoked" : isOver(key, now) ? "expired" : "working"),
  },
  { id: "created", head: "Created", isWide: true, cell: ({ created_at: at }) => <RelativeTime at={at} now={now} /> },
  { id: "used", head: "Last used", isWide: true, cell: ({ last_used_at: at }) => <LastUsed at={at} now={now} /> },
  {
    id: "revoke",
    head: "Revoke",
    isHeadHidden: true,
    isNumber: true,
    cell: (key) => isOwner && !key.revoked_at && !isOver(key, now) && <RevokeLegacyKey entry={key} path={path} />,
  },
];

function RevokeLegacyKey({ entry, path }: { entry: AccessKey; path: string }) {
  return (
    <RevokeKeyButton entry={entry} path={path} focusAfter="legacy">
      <p>
        Requests with this key are rejected from now on. Legacy keys are no longer issued, so it cannot be replaced.
      </p>
    </RevokeKeyButton>
  );
}
