import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatDay, formatPlural, formatUntil, formatUtc } from "@/lib/kernel/format";
import type { Usage } from "@/lib/schemas/usage";
import type { AccessKey } from "@/lib/schemas/workspace";
import { KeyEdits } from "./key-edits";
import { RevokeKeyButton } from "./revoke-key";

const SOON_MS = 14 * 86_400_000;

interface Props {
  keys: readonly AccessKey[];
  /** Path of the workspace in the account API. */
  path: string;
  /** What each key has used today. */
  limits: Usage["limits"];
  /** Whether the workspace has several people, so that it matters who created a key. */
  shared: boolean;
  now: Date;
}

/** Active keys, newest first. */
export function KeyTable({ keys, ...props }: Props) {
  return <DataTable label="Active keys" columns={columnsOf(props)} rows={keys} keyOf={({ id }) => id} />;
}

function columnsOf({ path, limits, shared, now }: Omit<Props, "keys">): readonly DataColumn<AccessKey>[] {
  const maker: DataColumn<AccessKey> = {
    id: "maker",
    head: "Created by",
    isWide: true,
    cell: (key) => <span className="block max-w-40 truncate">{makerOf(key)}</span>,
  };
  return [
    {
      id: "key",
      head: "Key",
      isRest: true,
      cell: (key) => <KeySummary entry={key} path={path} shared={shared} now={now} />,
    },
    ...(shared ? [maker] : []),
    { id: "created", head: "Created", isWide: true, cell: ({ created_at: at }) => <RelativeTime at={at} now={now} /> },
    { id: "used", head: "Last used", isWide: true, cell: ({ last_used_at: at }) => <LastUsed at={at} now={now} /> },
    { id: "expires", head: "Expires", isWide: true, cell: ({ expires_at: at }) => <Expiry at={at} now={now} /> },
    {
      id: "revoke",
      head: "Revoke",
      isHeadHidden: true,
      isNumber: true,
      cell: (key) => <RevokeKey entry={key} path={path} limits={limits} now={now} />,
    },
  ];
}

/** The key's name and, on phones, the contents of the other columns. */
function KeySummary({ entry: key, path, shared, now }: Omit<Props, "keys" | "limits"> & { entry: AccessKey }) {
  return (
    <>
      <KeyName entry={key} />
      <p className="mt-1 flex flex-wrap gap-x-3 text-muted text-xs sm:hidden">
        <LastUsed at={key.last_used_at} now={now} long />
        <Expiry at={key.expires_at} now={now} long />
        <span>
          created <RelativeTime at={key.created_at} now={now} />
          {shared && ` by ${makerOf(key)}`}
        </span>
      </p>
      {key.mine && <KeyEdits entry={key} path={path} />}
    </>
  );
}

export function KeyName({ entry: { name, ends } }: { entry: Pick<AccessKey, "name" | "ends"> }) {
  return (
    <>
      <span className="wrap-anywhere block min-w-24 font-medium">{name}</span>
      <code className="whitespace-nowrap font-mono font-normal text-faint text-xs">{ends}</code>
    </>
  );
}

const makerOf = ({ mine, created_by: email }: AccessKey): string => (mine ? "you" : (email ?? "the workspace"));

export function LastUsed({ at, now, long = false }: { at: string | null; now: Date; long?: boolean }) {
  if (at === null) return <span className="text-faint">never{long && " used"}</span>;
  return (
    <span>
      {long && "used "}
      <RelativeTime at={at} now={now} />
    </span>
  );
}

export function Expiry({ at, now, long = false }: { at: string | null; now: Date; long?: boolean }) {
  if (at === null) return <span className="text-faint">never{long && " expires"}</span>;
  const isSoon = Date.parse(at) - now.getTime() < SOON_MS;
  return (
    <span>
      {long && "expires "}
      <time dateTime={at} title={formatUtc(at)} className={isSoon ? "font-medium text-warning" : ""}>
        {isSoon ? formatUntil(at, now) : formatDay(at)}
      </time>
    </span>
  );
}

function RevokeKey({ entry, path, limits, now }: Pick<Props, "path" | "limits" | "now"> & { entry: AccessKey }) {
  const used = limits.find(({ key_id }) => key_id === entry.id);
  return (
    <RevokeKeyButton entry={entry} path={path} focusAfter="keys">
      <p>
        Requests with <code className="whitespace-nowrap font-mono text-ink text-xs">{entry.ends}</code> get 401{" "}
        <code className="font-mono">key_revoked</code> from now on. This cannot be undone.
      </p>
      {entry.last_used_at === null ? (
        <p>This key has never been used; revoking it breaks nothing.</p>
      ) : (
        <p>
          It was last used <RelativeTime at={entry.last_used_at} now={now} />
          {used && used.queries_day.used + (used.downloads_day?.used ?? 0) > 0 && (
            <>
              , today for {formatPlural(used.queries_day.used, "query", "queries")} and{" "}
              {formatPlural(used.downloads_day?.used ?? 0, "download")}
            </>
          )}
          . If something still needs it, create a replacement key first.
        </p>
      )}
    </RevokeKeyButton>
  );
}
