import { KeyRound } from "lucide-react";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatCount } from "@/lib/kernel/format";
import type { Usage } from "@/lib/schemas/usage";
import type { AccessKey } from "@/lib/schemas/workspace";
import type { QueryExample } from "./key-reveal";
import { KeyName, KeyTable, LastUsed } from "./key-table";
import { NewKey } from "./new-key";

interface Props {
  keys: readonly AccessKey[];
  /** Path of the workspace in the account API. */
  path: string;
  limits: Usage["limits"];
  example: QueryExample | undefined;
  shared: boolean;
  /** Rows per page with and without a key. */
  rows: { key: number; anonymous: number };
  now: Date;
}

/** The form to create a key, the active keys, and those that no longer work. */
export function UseKeys({ keys, path, limits, example, shared, rows, now }: Props) {
  const working = keys.filter(
    ({ revoked_at, expires_at }) => !revoked_at && !(expires_at && Date.parse(expires_at) <= now.getTime()),
  );
  const past = keys.filter((key) => !working.includes(key));
  return (
    <>
      <NewKey path={path} example={example} today={now.toISOString().slice(0, 10)} />
      {working.length > 0 ? (
        <KeyTable keys={working} path={path} limits={limits} shared={shared} now={now} />
      ) : (
        <NoKeys rows={rows} />
      )}
      <PastKeys keys={past} now={now} />
    </>
  );
}

function NoKeys({ rows }: Pick<Props, "rows">) {
  return (
    <EmptyState icon={KeyRound} title="No active keys">
      <p>
        Without a key, anyone can search, preview and query {formatCount(rows.anonymous)} rows at a time. With a use key
        (your API key), a program can read {formatCount(rows.key)} rows per page and download whole tables.
      </p>
      <ol className="list-decimal space-y-1 pl-5">
        <li>Name the key after where you will use it, then create it. It is shown only once.</li>
        <li>Store it where your program can read it, such as the environment variable PARQUETRY_KEY.</li>
        <li>
          Send it in the header <code className="font-mono text-ink text-xs">x-api-key</code>. Every dataset page has
          snippets for this. The agent connector accepts it as{" "}
          <code className="font-mono text-ink text-xs">Authorization: Bearer</code>.
        </li>
      </ol>
    </EmptyState>
  );
}

/** Keys that no longer work, folded away. */
function PastKeys({ keys, now }: { keys: readonly AccessKey[]; now: Date }) {
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
