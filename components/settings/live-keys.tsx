import Link from "next/link";
import type { z } from "zod";
import { CopiedId } from "@/components/ui/copied-id";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Account } from "@/lib/schemas/account";
import type { AccessKey, newKeySchema } from "@/lib/schemas/workspace";
import { KeyName, LastUsed } from "./key-table";
import { NewKey } from "./new-key";
import { RevokeKeyButton } from "./revoke-key";
import { subscriptionText } from "./subscription-text";

type Workspace = Account["workspaces"][number];

interface Props {
  keys: readonly AccessKey[];
  /** The tables that they currently give access to. */
  opens: NonNullable<z.output<typeof newKeySchema>["opens"]>;
  path: string;
  workspace: Workspace;
  now: Date;
}

/** The workspace's keys for the hosted table API, what they give access to, and the state of the subscription. */
export function LiveKeys({ keys, opens, path, workspace, now }: Props) {
  return (
    <>
      <p className="max-w-prose text-muted text-sm">
        {subscriptionText(workspace)} Live keys belong to the workspace and open its active tables on the{" "}
        <Link href="/docs/hosted-tables" prefetch={false} className="link">
          hosted table API
        </Link>
        ; the public routes reject them with 401. {opens.length === 0 ? "No tables are active." : "Active tables:"}
      </p>
      {opens.length > 0 && (
        <ul className="mt-2 mb-4 space-y-1 text-sm">
          {opens.map(({ dataset, table, current_path }) => (
            <li key={current_path} className="flex min-w-0 flex-wrap items-baseline gap-x-3">
              <Link href={`/studio/${dataset}#hosted`} prefetch={false} className="link">
                {dataset}, {table}
              </Link>
              <CopiedId text={current_path} label={`path of ${dataset}, ${table}`} />
            </li>
          ))}
        </ul>
      )}
      {workspace.role === "owner" && workspace.subscription_active && (
        <div className="mt-4">
          <NewKey kind="live" path={path} example={undefined} today={now.toISOString().slice(0, 10)} />
        </div>
      )}
      {keys.length > 0 && (
        <div className="mt-3">
          <DataTable label="Live keys" columns={columnsOf(path, workspace, now)} rows={keys} keyOf={({ id }) => id} />
        </div>
      )}
    </>
  );
}

const isOver = ({ expires_at: at }: AccessKey, now: Date): boolean => at !== null && Date.parse(at) <= now.getTime();

/** A live key is not accepted while the workspace has no active subscription. */
function stateOf(key: AccessKey, { subscription_active: isActive }: Workspace, now: Date): string {
  if (key.revoked_at) return "revoked";
  if (isOver(key, now)) return "expired";
  return isActive ? "active" : "rejected with 402 until the plan is paid";
}

const columnsOf = (path: string, workspace: Workspace, now: Date): readonly DataColumn<AccessKey>[] => [
  { id: "key", head: "Key", isRest: true, cell: (key) => <KeyName entry={key} /> },
  {
    id: "state",
    head: "State",
    cell: (key) => stateOf(key, workspace, now),
  },
  { id: "created", head: "Created", isWide: true, cell: ({ created_at: at }) => <RelativeTime at={at} now={now} /> },
  { id: "used", head: "Last used", isWide: true, cell: ({ last_used_at: at }) => <LastUsed at={at} now={now} /> },
  {
    id: "revoke",
    head: "Revoke",
    isHeadHidden: true,
    isNumber: true,
    cell: (key) =>
      workspace.role === "owner" && !key.revoked_at && !isOver(key, now) && <RevokeLiveKey entry={key} path={path} />,
  },
];

function RevokeLiveKey({ entry, path }: { entry: AccessKey; path: string }) {
  return (
    <RevokeKeyButton entry={entry} path={path} focusAfter="live-keys">
      <p>Requests with this key are rejected from now on.</p>
    </RevokeKeyButton>
  );
}
