import { KeyRound } from "lucide-react";
import Link from "next/link";
import type { z } from "zod";
import { ActionButton } from "@/components/form/action-button";
import { CopiedId } from "@/components/ui/copied-id";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatCount, formatList, formatPlural } from "@/lib/kernel/format";
import type { Account } from "@/lib/schemas/account";
import type { Usage } from "@/lib/schemas/usage";
import type { AccessKey, newKeySchema } from "@/lib/schemas/workspace";
import { KeyEdits, NewKey, type QueryExample } from "./key-forms";
import { type Fact, instant, OwnList } from "./own-list";
import { subscriptionText } from "./subscription-text";

interface Props {
  keys: readonly AccessKey[];
  /** Path of the workspace in the account API. */
  path: string;
  now: Date;
}

interface UseKeysProps extends Props {
  /** What each key has used today. */
  limits: Usage["limits"];
  example: QueryExample | undefined;
  /** Whether the workspace has several people, so that it matters who created a key. */
  shared: boolean;
  /** Rows per page with and without a key. */
  rows: { key: number; anonymous: number };
}

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);
const isOver = ({ expires_at: at }: AccessKey, now: Date): boolean => at !== null && Date.parse(at) <= now.getTime();
const isWorking = (key: AccessKey, now: Date): boolean => !key.revoked_at && !isOver(key, now);

/** “Only queries, only daily-weather”; nothing for a key without limits. */
function scopeText({ kind, datasets, permissions }: AccessKey): string {
  const may = kind !== "use" || permissions.length > 1 ? "" : permissions[0] === "read" ? "queries" : "downloads";
  const named = datasets?.map(({ slug }) => slug ?? "a dataset that it can no longer read");
  const only = [may, named && formatList(named, "and")].filter(Boolean);
  return only.length === 0 ? "" : `Only ${only.join(", only ")}`;
}

/** How a key is named in every list. */
const NAMED = {
  head: "Key",
  keyOf: ({ id }: AccessKey) => id,
  name: ({ name }: AccessKey) => name,
  note: (key: AccessKey) => (
    <>
      <code className="whitespace-nowrap font-mono text-faint">{key.ends}</code>
      {scopeText(key) && <span className="block text-muted">{scopeText(key)}</span>}
    </>
  ),
} as const;

const createdAt = (now: Date, by?: (key: AccessKey) => string) =>
  instant<AccessKey>("Created", "created", "created_at", now, by);
const usedAt = (now: Date) => instant<AccessKey>("Last used", "used", "last_used_at", now);
const makerOf = ({ mine, created_by: email }: AccessKey): string => (mine ? "you" : (email ?? "the workspace"));

/** The form to create a key, the active keys, newest first, and those that no longer work. */
export function UseKeys({ keys, path, limits, example, shared, rows, now }: UseKeysProps) {
  const past = keys.filter((key) => !isWorking(key, now));
  return (
    <>
      <NewKey path={path} example={example} today={dayOf(now)} />
      <OwnList
        {...NAMED}
        label="Active keys"
        rows={keys.filter((key) => isWorking(key, now))}
        more={(key) => key.mine && <KeyEdits entry={key} path={path} />}
        facts={[
          createdAt(now, shared ? makerOf : undefined),
          usedAt(now),
          instant("Expires", "expires", "expires_at", now),
        ]}
        aside={(key) => (
          <RevokeKey entry={key} path={path} focusAfter="keys">
            <Consequence entry={key} limits={limits} now={now} />
          </RevokeKey>
        )}
        empty={<NoKeys rows={rows} />}
      />
      {past.length > 0 && (
        <details className="mt-4">
          <summary className="link text-sm">Revoked and expired ({formatCount(past.length)})</summary>
          <div className="mt-2">
            <OwnList
              {...NAMED}
              label="Revoked and expired keys"
              rows={past}
              facts={[pastState(now), createdAt(now), usedAt(now)]}
            />
          </div>
        </details>
      )}
    </>
  );
}

const pastState = (now: Date): Fact<AccessKey> => ({
  head: "State",
  stays: true,
  cell: ({ revoked_at, expires_at }) => (
    <span className="whitespace-nowrap">
      {revoked_at ? "revoked" : "expired"} <RelativeTime at={revoked_at ?? expires_at ?? ""} now={now} />
    </span>
  ),
});

const NoKeys = ({ rows }: Pick<UseKeysProps, "rows">) => (
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

interface RevokeProps {
  entry: AccessKey;
  path: string;
  /** Id of the list's heading. */
  focusAfter: string;
  children: React.ReactNode;
}

const RevokeKey = ({ entry: { id, name }, path, focusAfter, children }: RevokeProps) => (
  <ActionButton
    method="DELETE"
    path={`${path}/keys/${id}`}
    label="Revoke"
    describes={name}
    title={`Revoke “${name}”?`}
    confirm="Revoke key"
    done={`The key “${name}” is revoked.`}
    focusAfter={focusAfter}
  >
    {children}
  </ActionButton>
);

/** What stops working without a use key. */
function Consequence({ entry, limits, now }: Pick<UseKeysProps, "limits" | "now"> & { entry: AccessKey }) {
  const used = limits.find(({ key_id }) => key_id === entry.id);
  return (
    <>
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
    </>
  );
}

interface LiveKeysProps extends Props {
  /** The tables that they currently give access to. */
  opens: NonNullable<z.output<typeof newKeySchema>["opens"]>;
  workspace: Account["workspaces"][number];
}

/** The workspace's keys for the hosted table API, what they give access to, and the state of the subscription. */
export function LiveKeys({ keys, opens, path, workspace, now }: LiveKeysProps) {
  const { role, subscription_active: isActive } = workspace;
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
      {role === "owner" && isActive && (
        <div className="mt-4">
          <NewKey kind="live" path={path} example={undefined} today={dayOf(now)} />
        </div>
      )}
      <OwnList
        {...NAMED}
        label="Live keys"
        rows={keys}
        facts={[
          { head: "State", stays: true, cell: (key) => liveState(key, isActive, now) },
          createdAt(now),
          usedAt(now),
        ]}
        aside={(key) =>
          role === "owner" &&
          isWorking(key, now) && (
            <RevokeKey entry={key} path={path} focusAfter="live-keys">
              <p>Requests with this key are rejected from now on.</p>
            </RevokeKey>
          )
        }
      />
    </>
  );
}

/** A live key is not accepted while the workspace has no active subscription. */
function liveState(key: AccessKey, isActive: boolean, now: Date): string {
  if (key.revoked_at) return "revoked";
  if (isOver(key, now)) return "expired";
  return isActive ? "active" : "rejected with 402 until the plan is paid";
}
