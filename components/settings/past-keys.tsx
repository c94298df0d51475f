import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatCount } from "@/lib/kernel/format";
import type { AccessKey } from "@/lib/schemas/workspace";
import { KeyName, LastUsed } from "./key-table";

/** Keys that no longer work, folded away. */
export function PastKeys({ keys, now }: { keys: readonly AccessKey[]; now: Date }) {
  if (keys.length === 0) return null;
  return (
    <details className="mt-4">
      <summary className="link text-sm">Revoked and expired ({formatCount(keys.length)})</summary>
      <div className="mt-2">
        <DataTable label="Revoked and expired keys" columns={columnsAt(now)} rows={keys} keyOf={({ id }) => id} />
      </div>
    </details>
  );
}

const columnsAt = (now: Date): readonly DataColumn<AccessKey>[] => [
  { id: "key", head: "Key", isRest: true, cell: (key) => <KeyName entry={key} /> },
  {
    id: "state",
    head: "State",
    cell: ({ revoked_at, expires_at }) => (
      <span className="whitespace-nowrap">
        {revoked_at ? "revoked" : "expired"} <RelativeTime at={revoked_at ?? expires_at ?? ""} now={now} />
      </span>
    ),
  },
  { id: "created", head: "Created", isWide: true, cell: ({ created_at: at }) => <RelativeTime at={at} now={now} /> },
  {
    id: "used",
    head: "Last used",
    isWide: true,
    cell: ({ last_used_at: at }) => <LastUsed at={at} now={now} />,
  },
];
